import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { newId, openDatabase } from '../src/db/index.js'
import { chainEntries, genesisHead } from '../src/ledger/format/chain.js'
import { signCheckpoint } from '../src/ledger/format/checkpoint.js'
import { operatorOf } from '../src/modules/audit/index.js'
import { createKey } from '../src/modules/keys/index.js'
import { createTenant as insertTenant } from '../src/modules/tenants/index.js'

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
 * projections and with one statement for a whole group, so that a million takes minutes.
 * @param {string} databaseUrl
 * @param {{ tenantId: string, size: number, group: number, signingKey: import('../src/ledger/keys/signing-key.js').SigningKey }} options
 */
export async function seedRecord(databaseUrl, { tenantId, size, group, signingKey }) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const startMs = Date.now() - 29 * dayMs
  const stepMs = (29 * dayMs) / size
  try {
    let head = genesisHead(tenantId)
    while (head.range.size < size) {
      const first = head.range.size
      const drafts = Array.from({ length: Math.min(group, size - first) }, (_, i) =>
        makeDraft(first + i, new Date(startMs + (first + i) * stepMs)),
      )
      const chained = chainEntries(head, drafts)
      head = chained.head
      await insertGroup(client, tenantId, chained, signingKey)
    }
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

/** @param {number} index @param {Date} at @returns {import('../src/ledger/format/entry.js').ReceiptDraft} */
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

async function insertGroup(client, tenantId, { head, entries, nodes }, signingKey) {
  await client.query('begin')
  await client.query({
    name: 'receipts',
    text: `insert into receipts (tenant_id, seq, request_id, ts, canonical, leaf_hash, commitment_key)
      select $1, e.*, sha256(e.leaf_hash) from unnest($2::bigint[], $3::text[], $4::timestamptz[], $5::text[], $6::bytea[])
        as e (seq, request_id, ts, canonical, leaf_hash)`,
    values: [
      tenantId,
      entries.map((entry) => entry.seq),
      entries.map((entry) => entry.id),
      entries.map((entry) => entry.ts),
      entries.map((entry) => entry.canonical),
      entries.map((entry) => entry.leafHash),
    ],
  })
  for (const { level, index, hash } of nodes)
    await client.query('insert into record_nodes (tenant_id, level, index, hash) values ($1, $2, $3, $4)', [
      tenantId,
      level,
      index,
      hash,
    ])
  const size = head.range.size
  const note = signCheckpoint({ tenant: tenantId, size, root: head.range.root() }, signingKey)
  await client.query('insert into seals (tenant_id, size, key_id, note) values ($1, $2, $3, $4)', [
    tenantId,
    size,
    signingKey.publicKey.id,
    note,
  ])
  await client.query('commit')
}
