import { genesisPrev } from '../../../packages/record/src/format/chain.js'
import { CompactRange, leafHash } from '../../../packages/record/src/format/merkle/tree.js'
import { signCheckpoint } from '../../../packages/record/src/format/signing/checkpoint.js'
import { canonicalize } from '../../../packages/record/src/json/index.js'
import type { FaultKind } from '../../../packages/record/src/verify/fault.js'
import type { SigningKey } from '../../../packages/service/src/record/keys/signing-key.js'
import type { TestDatabase } from '../service/database.js'

/** A record of twelve entries in groups of four, under seals at 4, 8 and 12, beside another tenant's like it. */
export interface TamperBench {
  database: TestDatabase
  tenantId: string
  otherId: string
  /** The key that sealed both records, and one that nobody published. */
  key: SigningKey
  stranger: SigningKey
}

export interface TamperCase {
  name: string
  tamper(bench: TamperBench): Promise<void>
  /** The fault that is found, and the first entry that is wrong. */
  fault: { kind: FaultKind; seq: number }
  /** Only a checkpoint that was kept elsewhere shows it: all that the database holds is consistent. */
  needsPin?: true
}

type Fields = Record<string, unknown>

/** Changes the text of one entry and nothing else. */
const edit =
  (seq: number, change: (text: string) => string): TamperCase['tamper'] =>
  async ({ database, tenantId }) => {
    const [row] = await database.query<{ canonical: string }>(
      'select canonical from receipts where tenant_id = $1 and seq = $2',
      [tenantId, seq],
    )
    const text = change(row?.canonical ?? '')
    if (text === row?.canonical) throw new Error('nothing was changed')
    await database.query('update receipts set canonical = $3 where tenant_id = $1 and seq = $2', [
      tenantId,
      seq,
      text,
    ])
  }

const set = (seq: number, fields: Fields) =>
  edit(seq, (text) => canonicalize({ ...JSON.parse(text), ...fields }))

const run =
  (...statements: string[]): TamperCase['tamper'] =>
  async ({ database, tenantId, otherId }) => {
    for (const statement of statements)
      await database.query(
        statement.replaceAll('$other', `'${otherId}'`).replaceAll('$tenant', `'${tenantId}'`),
      )
  }

/** What a forger with the database does: change what he likes, then number and chain everything anew, hashes included. */
const rechain =
  (change: (entries: Fields[]) => Fields[]): TamperCase['tamper'] =>
  async ({ database, tenantId }) => {
    const rows = await database.query<{ canonical: string }>(
      'select canonical from receipts where tenant_id = $1 order by seq',
      [tenantId],
    )
    const changed = change(rows.map((row) => JSON.parse(row.canonical)))
    let prev = genesisPrev(tenantId)
    await database.query('delete from receipts where tenant_id = $1', [tenantId])
    for (const [i, fields] of changed.entries()) {
      const canonical = canonicalize({ ...fields, seq: i + 1, prev: prev.toString('hex') })
      prev = leafHash(canonical)
      await database.query(
        `insert into receipts (tenant_id, seq, request_id, ts, canonical, leaf_hash) values ($1, $2, $3, $4, $5, $6)`,
        [tenantId, i + 1, `${fields.id}-${i}`, fields.ts, canonical, prev],
      )
    }
  }

/** Puts a new seal over what is in the table now at every size. */
const reseal =
  (signer: (bench: TamperBench) => SigningKey): TamperCase['tamper'] =>
  async (bench) => {
    const { database, tenantId } = bench
    const rows = await database.query<{ canonical: string }>(
      'select canonical from receipts where tenant_id = $1 order by seq',
      [tenantId],
    )
    const range = CompactRange.empty()
    for (const { canonical } of rows) {
      range.append(leafHash(canonical))
      const note = signCheckpoint({ tenant: tenantId, size: range.size, root: range.root() }, signer(bench))
      await database.query('update seals set note = $3 where tenant_id = $1 and size = $2', [
        tenantId,
        range.size,
        note,
      ])
    }
  }

const editNote =
  (size: number, change: (note: string) => string): TamperCase['tamper'] =>
  async ({ database, tenantId }) => {
    const [row] = await database.query<{ note: string }>(
      'select note from seals where tenant_id = $1 and size = $2',
      [tenantId, size],
    )
    await database.query('update seals set note = $3 where tenant_id = $1 and size = $2', [
      tenantId,
      size,
      change(row?.note ?? ''),
    ])
  }

const inTurn =
  (...steps: TamperCase['tamper'][]): TamperCase['tamper'] =>
  async (bench) => {
    for (const step of steps) await step(bench)
  }

const publish: TamperCase['tamper'] = async ({ database, stranger }) => {
  const { id, bytes } = stranger.publicKey
  await database.query('insert into signing_keys (id, public_key) values ($1, $2)', [id, bytes])
}

function flipLastByte(note: string): string {
  const split = note.lastIndexOf(' ') + 1
  const bytes = Buffer.from(note.slice(split), 'base64')
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  return `${note.slice(0, split)}${bytes.toString('base64')}\n`
}

const drop = (where: string) => `delete from receipts where tenant_id = $tenant and ${where}`
const shift = (from: number) => [
  `update receipts set seq = -seq + 1 where tenant_id = $tenant and seq > ${from}`,
  'update receipts set seq = -seq where tenant_id = $tenant and seq < 0',
]
const copyText = (from: number, to: number) =>
  `update receipts set canonical = (select canonical from receipts where tenant_id = $tenant and seq = ${from})
   where tenant_id = $tenant and seq = ${to}`

/** How a record can be tampered with in the database. */
export const tamperCases: TamperCase[] = [
  // Changed
  { name: 'a cost lowered', tamper: set(6, { costNanos: 1 }), fault: { kind: 'changed', seq: 6 } },
  { name: 'the first entry changed', tamper: set(1, { costNanos: 1 }), fault: { kind: 'changed', seq: 1 } },
  {
    name: 'the last entry of a group changed',
    tamper: set(8, { costNanos: 1 }),
    fault: { kind: 'bad_root', seq: 8 },
  },
  {
    name: 'the newest entry changed',
    tamper: set(12, { costNanos: 1 }),
    fault: { kind: 'bad_root', seq: 12 },
  },
  { name: 'another user named', tamper: set(6, { user: 'mallory' }), fault: { kind: 'changed', seq: 6 } },
  {
    name: 'another time named',
    tamper: set(6, { ts: '2020-01-01T00:00:00.000Z' }),
    fault: { kind: 'changed', seq: 6 },
  },
  {
    name: 'a refusal turned into an answer',
    tamper: set(6, { outcome: 'aborted' }),
    fault: { kind: 'changed', seq: 6 },
  },
  {
    name: 'a check made up',
    tamper: set(6, { checks: [{ name: 'pii', applicable: true, result: 'pass' }] }),
    fault: { kind: 'changed', seq: 6 },
  },
  {
    name: 'a field taken out',
    tamper: edit(6, (text) => text.replace('"status":200,', '')),
    fault: { kind: 'changed', seq: 6 },
  },
  {
    name: 'two entries changed',
    tamper: inTurn(set(10, { costNanos: 1 }), set(3, { costNanos: 1 })),
    fault: { kind: 'changed', seq: 3 },
  },
  {
    name: 'an entry changed along with its stored hash',
    tamper: async (bench) => {
      await set(6, { costNanos: 1 })(bench)
      await run(
        "update receipts set leaf_hash = sha256('\\x00'::bytea || convert_to(canonical, 'UTF8')) where tenant_id = $tenant and seq = 6",
      )(bench)
    },
    fault: { kind: 'changed', seq: 6 },
  },
  {
    name: 'an entry changed and everything after it chained anew',
    tamper: rechain((entries) => entries.with(5, { ...entries[5], costNanos: 1 })),
    fault: { kind: 'bad_root', seq: 8 },
  },
  { name: 'a number changed in the text', tamper: set(6, { seq: 7 }), fault: { kind: 'changed', seq: 6 } },
  { name: 'another version named', tamper: set(6, { v: 3 }), fault: { kind: 'unknown_version', seq: 6 } },
  {
    name: 'another tenant named',
    tamper: set(6, { tenant: 'nobody' }),
    fault: { kind: 'wrong_tenant', seq: 6 },
  },
  { name: 'a link cut', tamper: set(6, { prev: '0'.repeat(64) }), fault: { kind: 'broken_prev', seq: 6 } },
  {
    name: 'the link to the beginning cut',
    tamper: set(1, { prev: '0'.repeat(64) }),
    fault: { kind: 'broken_prev', seq: 1 },
  },
  {
    name: 'a blank put in',
    tamper: edit(6, (text) => text.replace(':', ': ')),
    fault: { kind: 'not_canonical', seq: 6 },
  },
  {
    name: 'members reordered',
    tamper: edit(6, (text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse()))),
    fault: { kind: 'not_canonical', seq: 6 },
  },
  {
    name: 'a member named twice',
    tamper: edit(6, (text) => text.replace('"costNanos":13', '"costNanos":1,"costNanos":13')),
    fault: { kind: 'not_canonical', seq: 6 },
  },
  {
    name: 'half an entry',
    tamper: edit(6, (text) => text.slice(0, 50)),
    fault: { kind: 'not_canonical', seq: 6 },
  },
  { name: 'an entry emptied', tamper: edit(6, () => ''), fault: { kind: 'not_canonical', seq: 6 } },
  // Removed
  { name: 'an entry deleted', tamper: run(drop('seq = 6')), fault: { kind: 'gap', seq: 6 } },
  { name: 'the first entry deleted', tamper: run(drop('seq = 1')), fault: { kind: 'gap', seq: 1 } },
  { name: 'the last entry of a group deleted', tamper: run(drop('seq = 8')), fault: { kind: 'gap', seq: 8 } },
  { name: 'the newest entry deleted', tamper: run(drop('seq = 12')), fault: { kind: 'gap', seq: 12 } },
  {
    name: 'a group deleted with its seal',
    tamper: run(drop('seq between 5 and 8'), 'delete from seals where tenant_id = $tenant and size = 8'),
    fault: { kind: 'gap', seq: 5 },
  },
  {
    name: 'the first group deleted with its seal',
    tamper: run(drop('seq <= 4'), 'delete from seals where tenant_id = $tenant and size = 4'),
    fault: { kind: 'gap', seq: 1 },
  },
  {
    name: 'an entry deleted and the others renumbered',
    tamper: run(drop('seq = 6'), ...shift(6)),
    fault: { kind: 'gap', seq: 6 },
  },
  {
    name: 'an entry deleted, the others renumbered and chained anew',
    tamper: rechain((entries) => entries.toSpliced(5, 1)),
    fault: { kind: 'bad_root', seq: 8 },
  },
  {
    name: 'the newest group deleted with every trace of it',
    tamper: run(
      drop('seq > 8'),
      'delete from seals where tenant_id = $tenant and size > 8',
      'update record_heads set size = 8 where tenant_id = $tenant',
    ),
    fault: { kind: 'cut_off', seq: 9 },
    needsPin: true,
  },
  { name: 'all entries deleted, the seals left', tamper: run(drop('true')), fault: { kind: 'gap', seq: 1 } },
  // Repeated
  {
    name: 'an entry appended a second time',
    tamper: run(
      "insert into receipts select tenant_id, 13, request_id || '-2', ts, canonical, leaf_hash, commitment_key from receipts where tenant_id = $tenant and seq = 6",
    ),
    fault: { kind: 'repeat', seq: 6 },
  },
  {
    name: 'an entry in the place of the next',
    tamper: run(copyText(5, 6)),
    fault: { kind: 'repeat', seq: 5 },
  },
  {
    name: 'an entry put in a second time, chained anew',
    tamper: rechain((entries) => entries.toSpliced(6, 0, entries[5] ?? {})),
    fault: { kind: 'bad_root', seq: 8 },
  },
  {
    name: 'an entry made up and appended',
    tamper: rechain((entries) => [...entries, { ...entries[11], id: 'req_forged' }]),
    fault: { kind: 'unsealed', seq: 13 },
  },
  // Swapped
  {
    name: 'two entries swapped',
    tamper: run(
      'update receipts set seq = -6 where tenant_id = $tenant and seq = 6',
      'update receipts set seq = 6 where tenant_id = $tenant and seq = 7',
      'update receipts set seq = 7 where tenant_id = $tenant and seq = -6',
    ),
    fault: { kind: 'gap', seq: 6 },
  },
  {
    name: 'two entries swapped and chained anew',
    tamper: rechain((entries) => entries.with(5, entries[6] ?? {}).with(6, entries[5] ?? {})),
    fault: { kind: 'bad_root', seq: 8 },
  },
  {
    name: 'an entry of another tenant in the place of one',
    tamper: run(
      'update receipts r set canonical = (select canonical from receipts where tenant_id = $other and seq = 6) where tenant_id = $tenant and seq = 6',
    ),
    fault: { kind: 'wrong_tenant', seq: 6 },
  },
  {
    name: 'the whole record of another tenant',
    tamper: run(
      'update receipts r set canonical = (select canonical from receipts where tenant_id = $other and seq = r.seq) where tenant_id = $tenant',
      'update seals s set note = (select note from seals where tenant_id = $other and size = s.size) where tenant_id = $tenant',
    ),
    fault: { kind: 'wrong_tenant', seq: 1 },
  },
  // Signed anew
  {
    name: 'seals by a key that nobody published',
    tamper: reseal(({ stranger }) => stranger),
    fault: { kind: 'unknown_key', seq: 4 },
  },
  {
    name: 'an entry changed, all chained and sealed anew by such a key',
    tamper: inTurn(
      rechain((entries) => entries.with(5, { ...entries[5], costNanos: 1 })),
      reseal(({ stranger }) => stranger),
    ),
    fault: { kind: 'unknown_key', seq: 4 },
  },
  {
    name: 'the same, with that key published',
    tamper: inTurn(
      rechain((entries) => entries.with(5, { ...entries[5], costNanos: 1 })),
      reseal(({ stranger }) => stranger),
      publish,
    ),
    fault: { kind: 'bad_root', seq: 12 },
    needsPin: true,
  },
  {
    name: 'an entry changed, all chained and sealed anew with the stolen key',
    tamper: inTurn(
      rechain((entries) => entries.with(5, { ...entries[5], costNanos: 1 })),
      reseal(({ key }) => key),
    ),
    fault: { kind: 'bad_root', seq: 12 },
    needsPin: true,
  },
  {
    name: 'a signature altered',
    tamper: editNote(8, flipLastByte),
    fault: { kind: 'bad_signature', seq: 8 },
  },
  {
    name: 'a seal over another size',
    tamper: editNote(8, (note) => note.replace('\n8\n', '\n7\n')),
    fault: { kind: 'bad_signature', seq: 8 },
  },
  {
    name: 'a seal over another root',
    tamper: editNote(8, (note) => note.replace(/\n8\n[^\n]+/, `\n8\n${Buffer.alloc(32).toString('base64')}`)),
    fault: { kind: 'bad_signature', seq: 8 },
  },
  {
    name: 'a seal that is noise',
    tamper: editNote(8, () => 'sealed, honestly\n'),
    fault: { kind: 'malformed_seal', seq: 8 },
  },
  {
    name: 'an older seal in the place of one',
    tamper: run(
      'update seals set note = (select note from seals where tenant_id = $tenant and size = 4) where tenant_id = $tenant and size = 8',
    ),
    fault: { kind: 'misplaced_seal', seq: 8 },
  },
  {
    name: 'a seal moved to another entry',
    tamper: run('update seals set size = 7 where tenant_id = $tenant and size = 8'),
    fault: { kind: 'misplaced_seal', seq: 7 },
  },
  {
    name: 'a seal of another tenant in the place of one',
    tamper: run(
      'update seals set note = (select note from seals where tenant_id = $other and size = 8) where tenant_id = $tenant and size = 8',
    ),
    fault: { kind: 'wrong_tenant', seq: 8 },
  },
  {
    name: 'the newest seal deleted',
    tamper: run('delete from seals where tenant_id = $tenant and size = 12'),
    fault: { kind: 'unsealed', seq: 9 },
  },
  {
    name: 'all seals deleted',
    tamper: run('delete from seals where tenant_id = $tenant'),
    fault: { kind: 'unsealed', seq: 1 },
  },
  // Keys
  {
    name: 'the published key swapped',
    tamper: async ({ database, stranger }) =>
      void (await database.query('update signing_keys set public_key = $1', [stranger.publicKey.bytes])),
    fault: { kind: 'unknown_key', seq: 4 },
  },
]
