import { forbidden } from '../../errors.js'
import { type Owner, ownerFilter, type Principal } from '../../http/index.js'

export const eventTypes = ['call', 'alert', 'budget', 'provider'] as const
export type EventType = (typeof eventTypes)[number]

/** What a stream shows. Streams with the same view are sent the same bytes. */
export interface View {
  types: ReadonlySet<EventType>
  /** Null for one that shows everything of its tenant. */
  owner: Owner | null
  name: string
}

/** Health of providers is told from the calls of everybody: it is for those who may see them. */
const forReaders: ReadonlySet<EventType> = new Set(['provider'])

/** Without a choice, everything that the caller may see. What it may not see is refused by name, never left out in silence. */
export function viewOf(principal: Principal, chosen: readonly EventType[] | null): View {
  const owner = ownerFilter(principal)
  const isOpen = (type: EventType) => owner === null || !forReaders.has(type)
  if (chosen?.some((type) => !isOpen(type))) throw forbidden()
  const types = eventTypes.filter((type) => (chosen === null ? isOpen(type) : chosen.includes(type)))
  return { types: new Set(types), owner, name: JSON.stringify([types, owner]) }
}
