import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readAuditSearch } from './search'

export const auditPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/audit',
  staticData: { title: 'Audit', group: 'governance', isHiddenFromMembers: true, defaultRange: '30d' },
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./index')),
})
