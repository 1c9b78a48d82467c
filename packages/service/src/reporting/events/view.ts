import { type Owner, ownerFilter, type Principal } from '../../http/index.js'
import { forbidden } from '../../shared/errors.js'

export const eventTypes = ['call', 'alert', 'budget', 'provider'] as const
export type EventType = (typeof eventTypes)[number]

/** What a stream shows. Streams with the same view are sent the same bytes. */
export interface View {
  types: ReadonlySet<EventType>
  /** Null for a stream that shows everything of its tenant. */
  owner: Owner | null
  name: string
}

/** The health of providers is derived from everybody's calls, so only those who may see them receive it. */
const forReaders: ReadonlySet<EventType> = new Set(['provider'])

/**
 * Without a selection, everything that the caller may see. A selected type that it may not see is refused by name
 * instead of silently left out.
 */
export function viewOf(principal: Principal, chosen: readonly EventType[] | null): View {
  const owner = ownerFilter(principal)
  const isOpen = (type: EventType) => owner === null || !forReaders.has(type)
  if (chosen?.some((type) => !isOpen(type))) throw forbidden()
  const types = eventTypes.filter((type) => (chosen === null ? isOpen(type) : chosen.includes(type)))
  return { types: new Set(types), owner, name: JSON.stringify([types, owner]) }
}
