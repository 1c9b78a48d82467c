import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readPromptsSearch } from './search'

export const promptsPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/prompts',
  staticData: { title: 'Prompts', group: 'access' },
  validateSearch: readPromptsSearch,
  component: lazyRouteComponent(() => import('./index')),
})
