import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readUsageSearch } from './search'

export const usagePage = createRoute({
  getParentRoute: () => appRoute,
  path: '/usage',
  staticData: { title: 'Usage', group: 'analytics', defaultRange: 'month' },
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import('./index')),
})
