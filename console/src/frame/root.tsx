import { Outlet } from '@tanstack/react-router'
import { Toasts } from '../parts'

export const Root = () => (
  <Toasts>
    <Outlet />
  </Toasts>
)
