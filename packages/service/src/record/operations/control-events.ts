import { hash } from 'node:crypto'
import { connectPipelined, type Db } from '../../db/index.js'
import type { SigningKey } from '../keys/signing-key.js'
import { type CommitOptions, commitGroup } from '../write/commit.js'
import type { ControlEvent } from '../write/event-recorder.js'

const answerTimeoutMs = 30_000
const tenantsPerCommit = 100

/**
 * Records events while the service may be running. The id is computed from the event, so that a second attempt after a
 * failure records what is missing and nothing twice.
 */
export async function recordControlEvents(
  {
    databaseUrl,
    signingKey,
    marks,
    now,
  }: { databaseUrl: string; signingKey: SigningKey; marks: CommitOptions['marks']; now: Date },
  tenantIds: readonly string[],
  events: readonly ControlEvent[],
): Promise<void> {
  const connection = await connectPipelined(databaseUrl, {
    answerTimeoutMs,
    signal: new AbortController().signal,
    onLost: () => undefined,
  })
  try {
    for (let start = 0; start < tenantIds.length; start += tenantsPerCommit) {
      const group = tenantIds.slice(start, start + tenantsPerCommit).flatMap((tenantId) =>
        events.map(({ event, subject, by }) => ({
          tenantId,
          commitmentKey: null,
          draft: {
            id: controlId(tenantId, { event, subject }),
            ts: now.toISOString(),
            kind: 'control' as const,
            event,
            subject,
            ...(by !== undefined && { by }),
          },
        })),
      )
      await commitGroup(connection, group, { signingKey, marks, projections: [], mayBeRecorded: true })
    }
  } finally {
    await connection.close()
  }
}

/** Whether at least one of the records contains the event. */
export async function isRecorded(
  db: Db,
  tenantIds: readonly string[],
  event: ControlEvent,
): Promise<boolean> {
  const ids = tenantIds.map((tenantId) => controlId(tenantId, event))
  if (ids.length === 0) return false
  const found = await db
    .selectFrom('receipts')
    .select('seq')
    .where('request_id', 'in', ids)
    .limit(1)
    .execute()
  return found.length > 0
}

const controlId = (tenantId: string, { event, subject }: ControlEvent) =>
  `ctl_${hash('sha256', [tenantId, event, subject].join('\n'), 'hex').slice(0, 32)}`

/** The ids of all tenants that have a record. */
export async function listRecordTenants(db: Db): Promise<string[]> {
  const heads = await db.selectFrom('record_heads').select('tenant_id').orderBy('tenant_id').execute()
  return heads.map((head) => head.tenant_id)
}
