import { newId, type Tx } from '../../db/index.js'
import type { Principal } from '../../http/index.js'

/** The author of a change: a principal, or the operator, who has neither key nor session. */
export type Actor = Pick<Principal, 'tenantId' | 'userId' | 'keyId' | 'sessionId'>

/** The actor of commands that run on the machine itself. */
export const operatorOf = (tenantId: string): Actor => ({
  tenantId,
  userId: null,
  keyId: null,
  sessionId: null,
})

export type ActorType = 'key' | 'session' | 'operator'

export function identifyActor({ sessionId, keyId }: Actor): { type: ActorType; id: string } {
  if (sessionId !== null) return { type: 'session', id: sessionId }
  if (keyId !== null) return { type: 'key', id: keyId }
  return { type: 'operator', id: 'operator' }
}

export interface RecordedChange {
  /** The action, as `subject.verb`: `key.create`. */
  action: `${string}.${string}`
  subjectId: string
  /** The row as the API shows it, so never with a secret; null when there was none before, or is none after. */
  before: object | null
  after: object | null
}

/** Records a change in the change's own transaction, so that both are committed or neither. */
export async function recordChange(tx: Tx, actor: Actor, change: RecordedChange): Promise<void> {
  await recordChanges(tx, actor, [change])
}

// A statement has at most 65,535 parameters; an entry takes 11.
const entriesPerInsert = 1_000

/** Writes one entry for each change, in order. */
export async function recordChanges(tx: Tx, actor: Actor, changes: readonly RecordedChange[]): Promise<void> {
  const { type, id } = identifyActor(actor)
  for (let start = 0; start < changes.length; start += entriesPerInsert) {
    const entries = changes.slice(start, start + entriesPerInsert).map((change) => ({
      id: newId('aud'),
      tenant_id: actor.tenantId,
      actor_type: type,
      actor_id: id,
      key_id: actor.keyId,
      user_id: actor.userId,
      action: change.action,
      subject_type: change.action.slice(0, change.action.indexOf('.')),
      subject_id: change.subjectId,
      before: change.before && JSON.stringify(change.before),
      after: change.after && JSON.stringify(change.after),
    }))
    await tx.insertInto('audit_log').values(entries).execute()
  }
}
