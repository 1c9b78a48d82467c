import { notFound } from '../../errors.js'
import type { Found } from '../../ledger/index.js'

/** The value, or a 404 that tells a span which was dropped on purpose from one that never was. */
export function orNotKept<T>(found: Found<T>, what: string): T {
  if (found.state === 'found') return found.value
  throw found.state === 'dropped' ? dropped(found.upTo) : notFound(what)
}

export const dropped = (upTo: number) =>
  notFound(`entry here any more: those up to ${upTo} were exported and dropped; the operator has the export`)
