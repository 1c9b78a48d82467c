import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { AppLayout } from './layout/app-layout'
import { NotFound } from './layout/not-found'
import { PageError } from './layout/page-error'
import { Root } from './layout/root'
import { pages } from './pages'
import { appRoute, rootRoute } from './pages/app-route'
import { signInPage } from './pages/sign-in/page'

rootRoute.update({ component: Root, notFoundComponent: NotFound, errorComponent: PageError })
appRoute.update({ component: AppLayout, errorComponent: PageError })

const tree = rootRoute.addChildren([signInPage, appRoute.addChildren(pages)])

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
