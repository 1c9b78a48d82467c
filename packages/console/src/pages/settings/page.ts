import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../app-route'
import { readSettingsSearch } from './search'

export const settingsPage = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  staticData: { title: 'Settings', group: 'account' },
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('./index')),
})
