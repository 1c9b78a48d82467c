import type { UnboundedInput } from './attachments.js'
import { knownMembers } from './places.js'

/**
 * A member whose name differs from one that the gateway reads in its case alone: to many servers both are the same, such as to
 * all that read JSON with Go, and theirs may be the one that counts.
 */
export function findOtherSpelling(names: readonly string[], dialect: string): UnboundedInput | null {
  for (const name of names) {
    // Upper case first: some letters beyond ASCII have a plain one as their other case.
    const folded = name.toUpperCase().toLowerCase()
    if (folded !== name && knownMembers[dialect]?.has(folded))
      return { path: name, message: `is another spelling of ${folded}` }
  }
  return null
}
