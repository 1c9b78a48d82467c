import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readCallsSearch } from './search'

export const callsPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/calls',
  staticData: { title: 'Calls', group: 'analytics', defaultRange: '24h' },
  validateSearch: readCallsSearch,
  component: lazyRouteComponent(() => import('./index')),
})
