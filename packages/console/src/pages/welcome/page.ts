import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'

export const welcomePage = createRoute({
  getParentRoute: () => appRoute,
  path: '/welcome',
  staticData: { title: 'Welcome' },

  component: lazyRouteComponent(() => import('./index')),
})
