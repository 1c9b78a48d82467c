import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { Frame } from './frame/frame'
import { NotFound } from './frame/not-found'
import { PageError } from './frame/page-error'
import { Root } from './frame/root'
import { readAuditSearch } from './pages/audit/search'
import { readBudgetsSearch } from './pages/budgets/search'
import { readCallsSearch } from './pages/calls/search'
import { readComplianceSearch } from './pages/compliance/search'
import { readKeysSearch } from './pages/keys/search'
import { readOverviewSearch } from './pages/overview/search'
import { readPeopleSearch } from './pages/people/search'
import { readPlaygroundSearch } from './pages/playground/search'
import { readPoliciesSearch } from './pages/policies/search'
import { readPromptsSearch } from './pages/prompts/search'
import { readProvidersSearch } from './pages/providers/search'
import { readSettingsSearch } from './pages/settings/search'
import { readSignInSearch } from './pages/sign-in/search'
import { readToolsSearch } from './pages/tools/search'
import { readUsageSearch } from './pages/usage/search'
import { readWebhooksSearch } from './pages/webhooks/search'
import { sessionQuery } from './session'
import { readTimeSearch } from './time/use-span'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: PageError,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  component: lazyRouteComponent(() => import('./pages/sign-in')),
})

/** Everything that needs somebody who is signed in. The time range goes along from page to page. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  validateSearch: readTimeSearch,
  search: { middlewares: [retainSearchParams(['range', 'from', 'to', 'tz'])] },
  async beforeLoad({ context, location }) {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  component: Frame,
  errorComponent: PageError,
})

const parent = { getParentRoute: () => frame }

const pages = [
  createRoute({
    ...parent,
    path: '/',
    staticData: { title: 'Overview', defaultRange: 'month' },
    validateSearch: readOverviewSearch,
    component: lazyRouteComponent(() => import('./pages/overview')),
  }),
  createRoute({
    ...parent,
    path: '/welcome',
    staticData: { title: 'Welcome' },
    component: lazyRouteComponent(() => import('./pages/welcome')),
  }),
  createRoute({
    ...parent,
    path: '/calls',
    staticData: { title: 'Calls', defaultRange: '24h' },
    validateSearch: readCallsSearch,
    component: lazyRouteComponent(() => import('./pages/calls')),
  }),
  createRoute({
    ...parent,
    path: '/usage',
    staticData: { title: 'Usage', defaultRange: 'month' },
    validateSearch: readUsageSearch,
    component: lazyRouteComponent(() => import('./pages/usage')),
  }),
  createRoute({
    ...parent,
    path: '/keys',
    staticData: { title: 'Keys' },
    validateSearch: readKeysSearch,
    component: lazyRouteComponent(() => import('./pages/keys')),
  }),
  createRoute({
    ...parent,
    path: '/budgets',
    staticData: { title: 'Budgets' },
    validateSearch: readBudgetsSearch,
    component: lazyRouteComponent(() => import('./pages/budgets')),
  }),
  createRoute({
    ...parent,
    path: '/policies',
    staticData: { title: 'Policies' },
    validateSearch: readPoliciesSearch,
    component: lazyRouteComponent(() => import('./pages/policies')),
  }),
  createRoute({
    ...parent,
    path: '/prompts',
    staticData: { title: 'Prompts' },
    validateSearch: readPromptsSearch,
    component: lazyRouteComponent(() => import('./pages/prompts')),
  }),
  createRoute({
    ...parent,
    path: '/people',
    staticData: { title: 'People' },
    validateSearch: readPeopleSearch,
    component: lazyRouteComponent(() => import('./pages/people')),
  }),
  createRoute({
    ...parent,
    path: '/providers',
    staticData: { title: 'Providers' },
    validateSearch: readProvidersSearch,
    component: lazyRouteComponent(() => import('./pages/providers')),
  }),
  createRoute({
    ...parent,
    path: '/tools',
    staticData: { title: 'Tools' },
    validateSearch: readToolsSearch,
    component: lazyRouteComponent(() => import('./pages/tools')),
  }),
  createRoute({
    ...parent,
    path: '/webhooks',
    staticData: { title: 'Webhooks' },
    validateSearch: readWebhooksSearch,
    component: lazyRouteComponent(() => import('./pages/webhooks')),
  }),
  createRoute({
    ...parent,
    path: '/compliance',
    staticData: { title: 'Compliance' },
    validateSearch: readComplianceSearch,
    component: lazyRouteComponent(() => import('./pages/compliance')),
  }),
  createRoute({
    ...parent,
    path: '/audit',
    staticData: { title: 'Audit', defaultRange: '30d' },
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('./pages/audit')),
  }),
  createRoute({
    ...parent,
    path: '/playground',
    staticData: { title: 'Playground' },
    validateSearch: readPlaygroundSearch,
    component: lazyRouteComponent(() => import('./pages/playground')),
  }),
  createRoute({
    ...parent,
    path: '/settings',
    staticData: { title: 'Settings' },
    validateSearch: readSettingsSearch,
    component: lazyRouteComponent(() => import('./pages/settings')),
  }),
] as const

const tree = root.addChildren([signIn, frame.addChildren(pages)])

export const createAppRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queries },
    basepath: new URL(document.baseURI).pathname,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingMs: 300,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
