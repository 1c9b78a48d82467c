import type { Tx } from '../../db/index.js'
import { ApiError } from '../../shared/errors.js'
import type { Actor } from '../audit/index.js'

/** The object to delete, and the id that others refer to it by. */
export interface Subject {
  type: 'team' | 'user'
  id: string
}

export interface Dependent {
  type: 'key' | 'member' | 'budget' | 'policy' | 'label'
  id: string
  name: string
}

/**
 * Rows of one kind that refer to a team or a user. Deleting the referenced row without them would silently lift
 * limits.
 *
 * Code that locks several of these rows does so in the order team, user, then the rows that refer to them. A row
 * that refers to another is written under a shared lock on that one.
 */
export interface Dependents {
  /** Called under the lock on the subject: no further dependents can be added until the transaction ends. */
  list(tx: Tx, tenantId: string, subject: Subject): Promise<Dependent[]>
  /** Deletes or detaches each of them, and records each in the audit log. */
  release(tx: Tx, actor: Actor, subject: Subject): Promise<void>
}

/** With `cascade`, releases the dependents of the subject. Otherwise, dependents cause a 409 that lists them. */
export async function releaseDependents(
  tx: Tx,
  actor: Actor,
  subject: Subject,
  { kinds, cascade, what }: { kinds: readonly Dependents[]; cascade: boolean; what: InUse },
): Promise<void> {
  if (!cascade) {
    const found: Dependent[] = []
    for (const kind of kinds) found.push(...(await kind.list(tx, actor.tenantId, subject)))
    refuseInUse(found, what)
    return
  }
  for (const kind of kinds) await kind.release(tx, actor, subject)
}

/** How the refusal describes the subject. */
export interface InUse {
  /** As in `The team "research"`. */
  title: string
  /** What `?cascade=true` does. */
  cascade: string
}

const maxListed = 50
const maxNamed = 5

export function refuseInUse(found: readonly Dependent[], { title, cascade }: InUse): void {
  if (found.length === 0) return
  const named = found.slice(0, maxNamed).map(({ type, id, name }) => `${type} "${name}" (${id})`)
  if (found.length > maxNamed) named.push(`${found.length - maxNamed} more`)
  throw new ApiError(
    'conflict',
    `${title} is in use: ${named.join(', ')}. Move or delete these first, or send ?cascade=true, which ${cascade}`,
    { dependents: found.slice(0, maxListed), dependents_total: found.length },
  )
}
