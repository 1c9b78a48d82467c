import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readToolsSearch } from './search'

export const toolsPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/tools',
  staticData: { title: 'Tools', group: 'integrations' },
  validateSearch: readToolsSearch,
  component: lazyRouteComponent(() => import('./index')),
})
