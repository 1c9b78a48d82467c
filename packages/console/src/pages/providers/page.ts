import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readProvidersSearch } from './search'

export const providersPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/providers',
  staticData: { title: 'Providers', group: 'integrations', isHiddenFromMembers: true },
  validateSearch: readProvidersSearch,
  component: lazyRouteComponent(() => import('./index')),
})
