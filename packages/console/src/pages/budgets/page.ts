import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readBudgetsSearch } from './search'

export const budgetsPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/budgets',
  staticData: { title: 'Budgets', group: 'access' },
  validateSearch: readBudgetsSearch,
  component: lazyRouteComponent(() => import('./index')),
})
