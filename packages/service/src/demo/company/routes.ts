import type { ModelName } from './models.js'

/** A route that services of the company ask for, instead of a model. */
export interface DemoRoute {
  name: string
  strategy: 'priority' | 'fastest'
  targets: readonly ModelName[]
  stickyBy: 'none' | 'session'
  cache: { ttlSeconds: number; scope: 'team' } | null
  /** Whose calls to one of its targets go by it. */
  keys: readonly string[]
}

export const routes: readonly DemoRoute[] = [
  {
    name: 'assistant',
    strategy: 'priority',
    targets: ['gpt-6-luna', 'gemini-3.8-flash'],
    stickyBy: 'session',
    cache: { ttlSeconds: 3_600, scope: 'team' },
    keys: ['kestrel-assistant'],
  },
  {
    name: 'invoices',
    strategy: 'priority',
    targets: ['gpt-6.1-sol', 'claude-sonnet-5-5'],
    stickyBy: 'none',
    cache: null,
    keys: ['plover-invoices'],
  },
  {
    name: 'quick',
    strategy: 'fastest',
    targets: ['gemini-3.8-flash', 'gpt-6-luna'],
    stickyBy: 'none',
    cache: null,
    keys: ['heron-gateway'],
  },
]

export const routeOf = (key: string, model: ModelName): DemoRoute | null =>
  routes.find(({ keys, targets }) => keys.includes(key) && targets.includes(model)) ?? null
