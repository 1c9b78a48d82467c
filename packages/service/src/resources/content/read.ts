import { parseObject } from '@tallystick/record/json'
import { type Selectable, sql } from 'kysely'
import { type Db, inTransaction, type Tables, type Tx } from '../../db/index.js'
import { attemptIdsOf, type Entry } from '../../record/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import type { CapturedText } from './captured.js'
import type { CallContentRecord, ContentSide } from './schema.js'
import { openContent, type SealedContent } from './sealed-content.js'

export interface ContentReader {
  /**
   * Returns the stored content of a call of the reader's tenant; null when there is no such call. Each read is
   * entered in the audit log first. The caller must check that the reader may see content.
   */
  read(reader: Actor, requestId: string): Promise<CallContentRecord | null>
}

// Content that could not be stored for longer is discarded.
const pendingMs = 90_000
const dayMs = 86_400_000

const nothing = { mode: null, expiresAt: null, attempts: [] }

export function createContentReader({ db, secrets }: { db: Db; secrets: Secrets }): ContentReader {
  async function read(tx: Tx, reader: Actor, requestId: string): Promise<CallContentRecord | null> {
    const { tenantId } = reader
    const call =
      (await findCall(tx, tenantId, requestId)) ?? (await findWithoutReceipt(tx, tenantId, requestId))
    if (!call) return null
    if (call.mode === null) return { ...nothing, state: 'off' }
    const mode = call.mode === 'unknown' ? null : call.mode
    if (call.isExpired) return { ...nothing, mode, state: 'expired' }
    const rows = await listContent(tx, tenantId, requestId, call.ts)
    if (rows.length === 0) {
      const isPending = call.ageMs < pendingMs
      return { ...nothing, mode, state: call.isErased ? 'erased' : isPending ? 'pending' : 'lost' }
    }
    const opened = await Promise.all(
      rows.map(async (row) => ({
        attempt: row.attempt,
        content: await openContent({ tenantId, requestId, attempt: row.attempt }, row.sealed, secrets),
      })),
    )
    await recordChange(tx, reader, {
      action: 'content.read',
      subjectId: requestId,
      before: null,
      after: { attempts: opened.map(({ attempt }) => attempt) },
    })
    const attempts = opened.flatMap(({ attempt, content }) =>
      content === undecryptable ? [] : [{ attempt, ...present(content) }],
    )
    const state = attempts.length < opened.length ? 'undecryptable' : 'captured'
    const [content = undecryptable] = opened.map((each) => each.content)
    return {
      state,
      mode: mode ?? (content === undecryptable ? null : content.mode),
      expiresAt: call.expiresAt.toISOString(),
      attempts,
    }
  }

  return { read: (reader, requestId) => inTransaction(db, (tx) => read(tx, reader, requestId)) }
}

interface FoundCall {
  ts: Date
  /** Unknown without the receipt, which may have been dropped from the record. */
  mode: 'redacted' | 'full' | 'unknown' | null
  expiresAt: Date
  isExpired: boolean
  isErased: boolean
  ageMs: number
}

/** Finds a call by its content, on any day. */
async function findWithoutReceipt(tx: Tx, tenantId: string, requestId: string): Promise<FoundCall | null> {
  const { rows } = await sql<Omit<FoundCall, 'mode' | 'isErased' | 'ageMs'>>`
    select captured_at as ts, captured_at + days as "expiresAt", captured_at + days <= now() as "isExpired"
    from call_content, ${retention(tenantId)}
    where tenant_id = ${tenantId} and request_id = ${requestId} limit 1`.execute(tx)
  const [row] = rows
  return row ? { ...row, mode: 'unknown', isErased: false, ageMs: 0 } : null
}

const retention = (tenantId: string) => sql`lateral (
  select make_interval(days => coalesce(
    (select retention_days from content_capture where tenant_id = ${tenantId}), 0)) as days) as retention`

async function findCall(tx: Tx, tenantId: string, requestId: string): Promise<FoundCall | null> {
  const { rows } = await sql<Omit<FoundCall, 'mode' | 'isErased'> & { canonical: string; hasKey: boolean }>`
    select canonical, ts, commitment_key is not null as "hasKey",
      ts + days as "expiresAt", ts + days <= now() as "isExpired",
      extract(epoch from now() - ts) * 1000 as "ageMs"
    from receipts, ${retention(tenantId)}
    where request_id = any(${attemptIdsOf(requestId)}) and tenant_id = ${tenantId}
    order by seq desc limit 1`.execute(tx)
  const [row] = rows
  if (!row) return null
  const entry: Partial<Entry> = parseObject(row.canonical) ?? {}
  if (entry.kind === 'control') return null
  return {
    ...row,
    ageMs: Number(row.ageMs),
    mode: entry.content ?? null,
    isErased: !row.hasKey || (await wasErased(tx, tenantId, entry.user, row.ts)),
  }
}

/** True also for a call that ran while its user was erased: its receipt was written later. */
async function wasErased(tx: Tx, tenantId: string, userId: string | undefined, ts: Date): Promise<boolean> {
  if (userId === undefined) return false
  const { rows } = await sql`select from erasures
    where tenant_id = ${tenantId} and user_id = ${userId} and created_at >= ${ts} limit 1`.execute(tx)
  return rows.length > 0
}

/** Reads the days around the call, the only ones that can contain it. */
async function listContent(
  tx: Tx,
  tenantId: string,
  requestId: string,
  ts: Date,
): Promise<Pick<Selectable<Tables['call_content']>, 'attempt' | 'sealed'>[]> {
  return await tx
    .selectFrom('call_content')
    .select(['attempt', 'sealed'])
    .where('tenant_id', '=', tenantId)
    .where('request_id', '=', requestId)
    .where('captured_at', '>=', new Date(ts.getTime() - dayMs))
    .where('captured_at', '<=', new Date(ts.getTime() + dayMs))
    .orderBy('attempt')
    .execute()
}

const present = ({ request, answer }: SealedContent) => ({
  request: presentSide(request),
  answer: presentSide(answer),
})

function presentSide(side: CapturedText | null): ContentSide {
  if (side === null) return null
  const { text, bytes, truncated, note } = side
  const body = truncated ? null : parseObject(text)
  return { body, text: body === null ? text : null, bytes, truncated, note }
}
