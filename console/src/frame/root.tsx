import { Tooltip } from '@base-ui/react/tooltip'
import { Outlet } from '@tanstack/react-router'
import { Toasts } from '../parts'

export function Root() {
  return (
    <Tooltip.Provider delay={300}>
      <Toasts>
        <Outlet />
      </Toasts>
    </Tooltip.Provider>
  )
}
