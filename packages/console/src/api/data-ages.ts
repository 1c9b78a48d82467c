import type { Middleware } from 'openapi-fetch'

/** Data of a read replica that are older than a moment. */
export interface OldData {
  asOf: Date
  ageMs: number
}

// A replica that has everything is a quarter of a second old at most, and the `Date` header has whole seconds.
const freshMs = 1_500

let known: ReadonlyMap<string, OldData> = new Map()
const listeners = new Set<() => void>()

/** The old data of the last response of each path. */
export const readDataAges = () => known

export function subscribeToDataAges(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function remember(path: string, old: OldData | null): void {
  if (old === null && !known.has(path)) return
  const next = new Map(known)
  if (old === null) next.delete(path)
  else next.set(path, old)
  known = next
  for (const listener of listeners) listener()
}

/** Notes how old the data of a response are, by the clock of the service. */
export const dataAgeMiddleware: Middleware = {
  onResponse({ response: { headers, ok }, schemaPath }) {
    if (!ok) return
    const asOf = Date.parse(headers.get('x-tallystick-data-as-of') ?? '')
    const ageMs = Date.parse(headers.get('date') ?? '') - asOf
    remember(schemaPath, ageMs > freshMs ? { asOf: new Date(asOf), ageMs } : null)
  },
}
