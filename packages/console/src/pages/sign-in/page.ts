import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app-route'
import { readSignInSearch } from './search'

export const signInPage = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  component: lazyRouteComponent(() => import('./index')),
})
