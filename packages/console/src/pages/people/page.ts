import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readPeopleSearch } from './search'

export const peoplePage = createRoute({
  getParentRoute: () => appRoute,
  path: '/people',
  staticData: { title: 'People', group: 'access' },
  validateSearch: readPeopleSearch,
  component: lazyRouteComponent(() => import('./index')),
})
