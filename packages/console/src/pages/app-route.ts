import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect, retainSearchParams } from '@tanstack/react-router'
import { sessionQuery } from '../session'
import { readTimeSearch } from '../time/use-span'

/** The parent of every page. Components are added in router.tsx, so that the layout can import the list of pages. */
export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({})

/** The parent of every page that requires a session. The time range is kept from page to page. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  validateSearch: readTimeSearch,
  search: { middlewares: [retainSearchParams(['range', 'from', 'to', 'tz'])] },
  async beforeLoad({ context, location }) {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
})

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string
    /** The navigation group; a page without one is reached by a link only. */
    group?: 'analytics' | 'access' | 'integrations' | 'governance' | 'account'
    /** Hides the page from members, who have no access to its data. */
    isHiddenFromMembers?: boolean
  }
}
