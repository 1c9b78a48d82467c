import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readKeysSearch } from './search'

export const keysPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/keys',
  staticData: { title: 'Keys', group: 'access' },
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(() => import('./index')),
})
