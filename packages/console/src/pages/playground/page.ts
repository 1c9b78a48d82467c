import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readPlaygroundSearch } from './search'

export const playgroundPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/playground',
  staticData: { title: 'Playground', group: 'governance' },
  validateSearch: readPlaygroundSearch,
  component: lazyRouteComponent(() => import('./index')),
})
