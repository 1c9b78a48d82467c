import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readComplianceSearch } from './search'

export const compliancePage = createRoute({
  getParentRoute: () => appRoute,
  path: '/compliance',
  staticData: { title: 'Compliance', group: 'governance', isHiddenFromMembers: true },
  validateSearch: readComplianceSearch,
  component: lazyRouteComponent(() => import('./index')),
})
