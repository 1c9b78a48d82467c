import { Outlet } from '@tanstack/react-router'
import { Toasts } from '../components'

export const Root = () => (
  <Toasts>
    <Outlet />
  </Toasts>
)
