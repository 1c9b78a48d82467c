import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { chainEntries, genesisHead } from '../packages/record/src/format/chain.js'
import { signCheckpoint } from '../packages/record/src/format/signing/checkpoint.js'
import { newId, openDatabase } from '../packages/service/src/db/index.js'
import { operatorOf } from '../packages/service/src/resources/audit/index.js'
import { createKey } from '../packages/service/src/resources/keys/index.js'
import { createTenant as insertTenant } from '../packages/service/src/resources/tenants/index.js'

const dayMs = 86_400_000

/** A tenant and the value of a key of its own. @param {string} databaseUrl @param {string} name */
export async function createTenant(databaseUrl, name) {
  const { db, close } = openDatabase(databaseUrl, () => undefined)
  try {
    const { id } = await insertTenant(db, name)
    const { value } = await createKey(db, operatorOf(id), { name: 'bench', role: 'manager' })
    return { id, key: value }
  } finally {
    await close()
  }
}

/**
 * A record as the service writes it, spread over the last 29 days: the same chain, tree and seals, but without the
 * projections and with one transaction for many groups, so that a million takes minutes.
 * @param {string} databaseUrl
 * @param {{ tenantId: string, size: number, group: number, signingKey: import('../packages/service/src/record/keys/signing-key.js').SigningKey }} options
 */
export async function seedRecord(databaseUrl, { tenantId, size, group, signingKey }) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const startMs = Date.now() - 29 * dayMs
  const stepMs = (29 * dayMs) / size
  try {
    await client.query('set synchronous_commit = off')
    let head = genesisHead(tenantId)
    let writing = Promise.resolve()
    while (head.range.size < size) {
      const groups = []
      for (let i = 0; i < groupsAtOnce && head.range.size < size; i++) {
        const first = head.range.size
        const drafts = Array.from({ length: Math.min(group, size - first) }, (_, i) =>
          makeDraft(first + i, new Date(startMs + (first + i) * stepMs)),
        )
        const chained = chainEntries(head, drafts)
        head = chained.head
        groups.push(chained)
      }
      // The next ones are made while these are written.
      await writing
      writing = insertGroups(client, tenantId, groups, signingKey)
      writing.catch(() => undefined)
      // So that it is sent before.
      await nextTurn()
    }
    await writing
    await client.query('update record_heads set size = $2, prev = $3, frontier = $4 where tenant_id = $1', [
      tenantId,
      head.range.size,
      head.prev,
      head.range.toBuffer(),
    ])
    await client.query('vacuum analyze receipts')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

// In one statement that fits the buffers of the socket: the database works on it while this process makes the next ones.
const groupsAtOnce = 8

/** @param {number} index @param {Date} at @returns {import('../packages/record/src/format/entry.js').ReceiptDraft} */
function makeDraft(index, at) {
  return {
    id: newId('req'),
    ts: at.toISOString(),
    kind: 'model',
    key: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y',
    user: `user-${index % 97}`,
    team: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y',
    provider: 'openai',
    model: 'gpt-4o-mini',
    upstream: 'gpt-4o-mini-2024-07-18',
    inputTokens: 120 + (index % 50),
    outputTokens: 300 + (index % 100),
    cachedTokens: 0,
    costNanos: 198 + (index % 60),
    latencyMs: 800 + (index % 300),
    firstTokenMs: 120,
    stream: index % 2 === 0,
    status: index % 50 === 0 ? 403 : 200,
    outcome: index % 50 === 0 ? 'blocked' : 'ok',
    request: randomBytes(32).toString('hex'),
    response: randomBytes(32).toString('hex'),
    policies: 'd4265c3a3d02a3e13f3d8a3e13f3d8ad426cc3a3d02a3e13f3d8a3e13f3d8a14',
    checks: [
      { name: 'rate_limit', applicable: true, result: 'pass' },
      { name: 'budget', applicable: true, result: 'pass' },
      { name: 'user_status', applicable: true, result: 'pass' },
      { name: 'model_allowlist', applicable: false, result: 'skip' },
      { name: 'pii', applicable: true, result: 'pass', policy: 'pol_01k9zq3w8hcv7m2x4n6p8r0t1y@3' },
    ],
    packs: ['eu-ai-act@1.0', 'soc2@1.0'],
  }
}

/** @param {pg.Client} client @param {string} tenantId @param {ReturnType<typeof chainEntries>[]} groups */
async function insertGroups(client, tenantId, groups, signingKey) {
  const entries = groups.flatMap((chained) => chained.entries)
  const nodes = groups.flatMap((chained) => chained.nodes)
  const seals = groups.map(({ head: { range } }) => ({
    size: range.size,
    note: signCheckpoint({ tenant: tenantId, size: range.size, root: range.root() }, signingKey),
  }))
  await client.query({
    name: 'groups',
    // As lines, of which no entry has two: the driver takes three times as long for arrays as everything else takes together.
    text: `with entries as (
        insert into receipts (tenant_id, seq, request_id, ts, canonical, leaf_hash, commitment_key)
        select $1, $2::bigint + e.n, e.id, e.ts::timestamptz, e.canonical, h.leaf, sha256(h.leaf)
        from rows from (string_to_table($3, E'\\n'), string_to_table($4, E'\\n'), string_to_table($5, E'\\n'))
            with ordinality as e (id, ts, canonical, n)
          cross join lateral (select sha256('\\x00'::bytea || convert_to(e.canonical, 'UTF8')) as leaf) as h),
      nodes as (
        insert into record_nodes (tenant_id, level, index, hash)
        select $1, n.* from unnest($6::int[], $7::bigint[], $8::bytea[]) as n)
      insert into seals (tenant_id, size, key_id, note)
      select $1, s.size, $9, s.note from unnest($10::bigint[], $11::text[]) as s (size, note)`,
    values: [
      tenantId,
      (entries[0]?.seq ?? 1) - 1,
      entries.map((entry) => entry.id).join('\n'),
      entries.map((entry) => entry.ts).join('\n'),
      entries.map((entry) => entry.canonical).join('\n'),
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
      nodes.map(({ hash }) => hash),
      signingKey.publicKey.id,
      seals.map(({ size }) => size),
      seals.map(({ note }) => note),
    ],
  })
}
