import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readSinksSearch } from './search'

export const sinksPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/sinks',
  staticData: { title: 'Sinks', group: 'integrations', isHiddenFromMembers: true },
  validateSearch: readSinksSearch,
  component: lazyRouteComponent(() => import('./index')),
})
