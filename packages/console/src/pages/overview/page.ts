import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readOverviewSearch } from './search'

export const overviewPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  staticData: { title: 'Overview', group: 'analytics', defaultRange: 'month' },
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('./index')),
})
