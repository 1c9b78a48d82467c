import './styles/index.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api'
import { createAppRouter } from './router'
import { sessionQuery } from './session'

/** Any 401 response ends the session; the layout then shows the sign-in page. */
function onQueryError(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  if (queries.getQueryData(sessionQuery.queryKey) === null) return
  queries.setQueryData(sessionQuery.queryKey, null)
  void router.invalidate()
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: onQueryError }),
  mutationCache: new MutationCache({ onError: onQueryError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
})
const router = createAppRouter(queries)

const rootElement = document.getElementById('root')
if (!rootElement) throw new Error('The page has no place for the console')
createRoot(rootElement).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
