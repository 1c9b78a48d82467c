import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readWebhooksSearch } from './search'

export const webhooksPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/webhooks',
  staticData: { title: 'Webhooks', group: 'integrations', isHiddenFromMembers: true },
  validateSearch: readWebhooksSearch,
  component: lazyRouteComponent(() => import('./index')),
})
