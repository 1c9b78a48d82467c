import { notFound } from '../../errors.js'
import type { Found } from '../../ledger/index.js'

/** The value, or a 404 that says whether the entries were dropped on purpose or never existed. */
export function requireKept<T>(found: Found<T>, what: string): T {
  if (found.state === 'found') return found.value
  throw found.state === 'dropped' ? entriesDropped(found.upTo) : notFound(what)
}

export const entriesDropped = (upTo: number) =>
  notFound(`entry here any more: those up to ${upTo} were exported and dropped; the operator has the export`)
