import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readPoliciesSearch } from './search'

export const policiesPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/policies',
  staticData: { title: 'Policies', group: 'access' },
  validateSearch: readPoliciesSearch,
  component: lazyRouteComponent(() => import('./index')),
})
