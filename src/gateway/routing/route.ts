/** Why an attempt failed, where another one may do better. */
export type FailureKind = 'connect' | 'timeout' | '429' | '5xx' | 'credential'

/** How often a call is tried again, and after what. */
export interface RetryTerms {
  /** Beside the first. */
  attempts: number
  on: readonly FailureKind[]
}

export interface RouteTarget {
  /** A model, by any of its names. */
  model: string
  weight: number
  /** The only dialect that it is used for; any that its provider answers where it is not said. */
  dialect?: string | null
}

/** What a route says of the calls that name it. */
export interface Route {
  id: string
  name: string
  strategy: 'priority' | 'weighted' | 'fastest'
  targets: readonly RouteTarget[]
  retry: { attempts: number; on: readonly ('connect' | 'timeout' | '429' | '5xx')[] }
  /** For all attempts together, until the first content of an answer. */
  timeoutMs: number
  stickyBy: 'none' | 'session' | 'user'
  enabled: boolean
}

export interface Routes {
  /** The route of this name; null where there is none. */
  find(tenantId: string, name: string): Promise<Route | null>
}
