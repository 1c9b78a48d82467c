import type { Found } from '../../record/index.js'
import { notFound } from '../../shared/errors.js'

/** Returns the value, or a 404 that explains whether the entries were dropped on purpose or never existed. */
export function requireKept<T>(found: Found<T>, what: string): T {
  if (found.state === 'found') return found.value
  throw found.state === 'dropped' ? entriesDropped(found.upTo) : notFound(what)
}

export const entriesDropped = (upTo: number) =>
  notFound(`entry here any more: those up to ${upTo} were exported and dropped; the operator has the export`)
