import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillRecord } from '../../../../../test/harness/record/fill-record.js'
import { createLedgerBench, type LedgerBench } from '../../../../../test/harness/record/ledger.js'
import { naiveRoot } from '../../../../../test/harness/record/naive-tree.js'
import { CompactRange, emptyRoot, leafHash } from '../../../../record/src/format/merkle/tree.js'
import { connectBulkReader, type Database, openDatabase } from '../../db/index.js'
import { checkChunk } from './check-chunk.js'
import type { ChunkVerifier } from './chunk.js'
import { createSpanVerifier, type SpanVerifier } from './span-verifier.js'
import { verifySpan } from './verify-span.js'

let bench: LedgerBench
let database: Database
let verifier: SpanVerifier
let tenantId: string

const day = (date: number) => `2026-10-${String(date).padStart(2, '0')}T00:00:00.000Z`
const all = { fromTs: day(1), toTs: day(31) }
const never = new AbortController().signal
const verify = (time = all) => verifier.verify(tenantId, time, never)

// Entries 1 to 5, 6, 7 to 17 and 18 to 24 are of four days; chunks of 5 begin and end in the middle of groups and days.
const days = [
  { date: 1, groups: [2, 3] },
  { date: 2, groups: [1] },
  { date: 3, groups: [2, 4, 4, 1] },
  { date: 4, groups: [1, 6] },
]
const size = 24
const tables = ['receipts', 'seals', 'record_heads', 'record_nodes']

beforeAll(async () => {
  bench = await createLedgerBench()
  tenantId = bench.tenantIds[0] ?? ''
  for (const { date, groups } of days) {
    const draft = { ts: `2026-10-0${date}T12:00:00.000Z` }
    await fillRecord({ database: bench.database, dataDir: bench.dataDir, tenantId, groups, draft })
  }
  database = openDatabase(bench.database.url, () => undefined)
  verifier = createSpanVerifier({ db: database.db, databaseUrl: bench.database.url, chunkEntries: 5 })
  await bench.database.query(tables.map((table) => `create table kept_${table} as table ${table}`).join(';'))
})
afterAll(async () => {
  await verifier.close()
  await database.close()
  await bench.close()
})

async function readEntries(): Promise<string[]> {
  const rows = await bench.database.query<{ canonical: string }>(
    'select canonical from receipts order by seq',
  )
  return rows.map((row) => row.canonical)
}

/** Runs an attack and, once it was looked at, puts all rows back as they were. */
async function tampered<T>(statements: [string, unknown[]?][], look: () => Promise<T>): Promise<T> {
  const { query } = bench.database
  try {
    for (const [text, values] of statements) await query(text, values)
    return await look()
  } finally {
    await query(
      tables.map((table) => `delete from ${table}; insert into ${table} table kept_${table}`).join(';'),
    )
  }
}

describe('a record that nobody touched', () => {
  test('verifies to its last entry, with the root of the naive tree over all of them', async () => {
    const leaves = (await readEntries()).map((text) => leafHash(text))
    expect(await verify()).toMatchObject({
      fromSeq: 1,
      toSeq: size,
      chained: size,
      sealed: size,
      fault: null,
      keyIds: [expect.any(String)],
      tally: { entries: size, modelReceipts: size },
      root: naiveRoot(leaves),
    })
  })

  test('verifies for every span of days, with a tree over just the entries of that span', async () => {
    const leaves = (await readEntries()).map((text) => leafHash(text))
    const ends = [5, 6, 17, 24]
    for (let from = 1; from <= 4; from++) {
      for (let to = from; to <= 4; to++) {
        const start = ends[from - 2] ?? 0
        const end = ends[to - 1] ?? 0
        expect(await verify({ fromTs: day(from), toTs: day(to + 1) })).toMatchObject({
          fromSeq: start + 1,
          toSeq: end,
          chained: end - start,
          sealed: end - start,
          fault: null,
          tally: { entries: end - start },
          root: naiveRoot(leaves.slice(start, end)),
        })
      }
    }
  })

  test('has nothing in a span without entries, before the first, after the last or in between', async () => {
    for (const time of [
      { fromTs: '2026-09-01T00:00:00.000Z', toTs: day(1) },
      { fromTs: day(5), toTs: day(31) },
      { fromTs: '2026-10-02T13:00:00.000Z', toTs: '2026-10-03T11:00:00.000Z' },
    ]) {
      expect(await verify(time)).toMatchObject({
        fromSeq: 0,
        toSeq: 0,
        chained: 0,
        sealed: 0,
        fault: null,
        keyIds: [],
        root: emptyRoot(),
      })
    }
  })
})

describe('whatever entry is touched, the count ends right before it', () => {
  const everySeq = Array.from({ length: size }, (_, index) => index + 1)

  const change = `update receipts set canonical = replace(canonical, '"costNanos":13', '"costNanos":12') where seq = $1`
  const hideChange = `update receipts set leaf_hash = sha256('\\x00'::bytea || convert_to(canonical, 'UTF8')) where seq = $1`

  test('when its bytes are changed', async () => {
    for (const seq of everySeq) {
      const { chained, sealed, fault } = await tampered([[change, [seq]]], () => verify())
      expect({ seq, chained, fault }).toEqual({ seq, chained: seq - 1, fault: expect.any(String) })
      expect(sealed).toBeLessThan(seq)
    }
  })

  test('when its bytes are changed and their stored hash with them', async () => {
    const attack = (seq: number): [string, unknown[]][] => [
      [change, [seq]],
      [hideChange, [seq]],
    ]
    for (const seq of everySeq.slice(0, -1)) {
      const { chained, fault } = await tampered(attack(seq), () => verify())
      expect({ seq, chained, fault }).toEqual({ seq, chained: seq - 1, fault: expect.any(String) })
    }
    // Nothing behind the last entry tells it from the others of its group.
    const last = await tampered(attack(size), () => verify())
    expect(last.chained).toBeLessThan(size)
    expect(last.chained).toBeGreaterThanOrEqual(18)
  })

  test('when it is deleted', async () => {
    for (const seq of everySeq) {
      const { toSeq, chained } = await tampered([['delete from receipts where seq = $1', [seq]]], () =>
        verify(),
      )
      expect({ seq, toSeq, chained }).toEqual({ seq, toSeq: size, chained: seq - 1 })
    }
  })

  test('when it changes places with the next', async () => {
    const attack = (seq: number): [string, unknown[]][] => [
      ['update receipts set seq = -1 where seq = $1', [seq]],
      ['update receipts set seq = $1 where seq = $2', [seq, seq + 1]],
      ['update receipts set seq = $1 where seq = -1', [seq + 1]],
    ]
    for (const seq of everySeq.slice(0, -1)) {
      const { chained } = await tampered(attack(seq), () => verify())
      expect({ seq, chained }).toEqual({ seq, chained: seq - 1 })
    }
  })
})

describe('a period in the middle of the record', () => {
  const third = { fromTs: day(3), toTs: day(4) }

  test('is not verified when the entry that it is chained to was changed', async () => {
    const attack = `update receipts set canonical = replace(canonical, '"status":200', '"status":201') where seq = 6`
    expect(await tampered([[attack]], () => verify(third))).toMatchObject({
      fromSeq: 7,
      toSeq: 17,
      chained: 0,
      sealed: 0,
      fault: expect.stringContaining('7'),
      tally: { entries: 0 },
      root: emptyRoot(),
    })
  })

  test('is verified whatever happened to entries further away', async () => {
    const attack = `update receipts set canonical = replace(canonical, '"status":200', '"status":201') where seq in (3, 24)`
    expect(await tampered([[attack]], () => verify(third))).toMatchObject({ chained: 11, sealed: 11 })
  })

  test('does not end early because entries at its end were deleted, or all of it', async () => {
    const tail = await tampered([['delete from receipts where seq between 15 and 17']], () => verify(third))
    expect(tail).toMatchObject({ fromSeq: 7, toSeq: 17, chained: 8 })
    const whole = await tampered([['delete from receipts where seq between 7 and 17']], () => verify(third))
    expect(whole).toMatchObject({ fromSeq: 7, toSeq: 17, chained: 0, fault: expect.any(String) })
  })

  test('does not end early because the first entry behind it was dated back or forth', async () => {
    const redate = (seq: number, date: number): [string, unknown[]] => [
      `update receipts set canonical = regexp_replace(canonical, '"ts":"2026-10-0\\d', $1) where seq = $2`,
      [`"ts":"2026-10-0${date}`, seq],
    ]
    const hide: [string] = [
      'update receipts set leaf_hash = sha256($$\\x00$$::bytea || convert_to(canonical, $$UTF8$$))',
    ]
    const unseal: [string] = ['delete from seals where size > 16']
    for (const more of [[], [hide], [hide, unseal]]) {
      const early = await tampered([redate(17, 4), ...more], () => verify(third))
      expect(early).toMatchObject({ fromSeq: 7, toSeq: 17, chained: 10, fault: expect.any(String) })
      const late = await tampered([redate(18, 3), ...more], () => verify(third))
      expect(late).toMatchObject({ fromSeq: 7, toSeq: 18, chained: 11, fault: expect.any(String) })
    }
  })

  test('cannot be sealed when the stored tree before it was damaged', async () => {
    for (const damage of ["'\\x00'::bytea", 'sha256(leaf_hash)']) {
      const attack = `update receipts set leaf_hash = ${damage} where seq = 4`
      const { sealed, chained } = await tampered([[attack]], () => verify(third))
      expect({ sealed, chained }).toEqual({ sealed: 0, chained: 0 })
    }
  })
})

describe('seals', () => {
  test('that are not signed end the count of what is sealed, and not that of what is chained', async () => {
    const attack = `update seals set note = overlay(note placing 'AAAA' from length(note) - 20) where size = 12`
    expect(await tampered([[attack]], () => verify())).toMatchObject({
      chained: size,
      sealed: 8,
      fault: null,
    })
  })

  test('of a key that is not published are not counted', async () => {
    const forge = `insert into signing_keys (id, public_key) values ('stranger', '\\x00')`
    await bench.database.query(forge)
    try {
      const attack = `update seals set key_id = 'stranger' where size >= 12`
      expect(
        await tampered(
          [["update signing_keys set public_key = sha256('a') where id = 'stranger'"], [attack]],
          () => verify(),
        ),
      ).toMatchObject({ chained: size, sealed: 8 })
    } finally {
      await bench.database.query(`delete from signing_keys where id = 'stranger'`)
    }
  })

  test('are not counted when the key that made them was damaged', async () => {
    const { query } = bench.database
    await query('create table kept_keys as table signing_keys')
    for (const damage of ["'\\x00'::bytea", 'sha256(public_key)']) {
      await query(`update signing_keys set public_key = ${damage}`)
      expect(await verify()).toMatchObject({ chained: size, sealed: 0, keyIds: [] })
    }
    await query('update signing_keys k set public_key = o.public_key from kept_keys o where o.id = k.id')
    await query('drop table kept_keys')
    expect(await verify()).toMatchObject({ chained: size, sealed: size })
  })

  test('that were taken away leave entries unsealed', async () => {
    const last = await tampered([['delete from seals where size > 18']], () => verify())
    expect(last).toMatchObject({ chained: size, sealed: 18 })
    const every = await tampered([['delete from seals']], () => verify())
    expect(every).toMatchObject({ chained: size, sealed: 0, keyIds: [] })
  })

  test('of which some are missing in between take nothing away: a later one covers all before it', async () => {
    const some = await tampered([['delete from seals where size between 5 and 20']], () => verify())
    expect(some).toMatchObject({ chained: size, sealed: size })
  })
})

test('a record whose end was cut off is missed, wherever its length is still told', async () => {
  const cut: [string][] = [['delete from receipts where seq > 21']]
  expect(await tampered(cut, () => verify())).toMatchObject({ toSeq: size, chained: 21 })
  cut.push(['delete from seals where size > 18'])
  expect(await tampered(cut, () => verify())).toMatchObject({ toSeq: size, chained: 21, sealed: 18 })
})

test('a record whose oldest entries were exported and dropped verifies from there on', async () => {
  const leaves = (await readEntries()).map((text) => leafHash(text))
  const dropped = CompactRange.empty()
  for (const leaf of leaves.slice(0, 8)) dropped.append(leaf)
  const drop: [string, unknown[]?][] = [
    [
      `insert into record_closings (tenant_id, size, prev, frontier, note) values ($1, 8, $2, $3, '')`,
      [tenantId, leaves[7], dropped.toBuffer()],
    ],
    ['delete from receipts where seq <= 8'],
    ['delete from seals where size <= 8'],
  ]
  try {
    const whole = await tampered(drop, () => verify())
    const rest = { fromSeq: 9, toSeq: size, chained: 16, sealed: 16, fault: null }
    expect(whole).toMatchObject({ ...rest, root: naiveRoot(leaves.slice(8)) })
    // The closing says what the first entry is chained to.
    await bench.database.query('update record_closings set prev = sha256(prev)')
    const broken = drop.slice(1)
    expect(await tampered(broken, () => verify())).toMatchObject({ fromSeq: 9, chained: 0, sealed: 0 })
  } finally {
    await bench.database.query('delete from record_closings')
  }
})

test('once the caller has left, no further chunk is begun', async () => {
  const bulk = await connectBulkReader(bench.database.url)
  const leaving = new AbortController()
  const begun: number[] = []
  // One after the other: a connection takes one statement at a time.
  let turn: Promise<unknown> = Promise.resolve()
  const reader: ChunkVerifier = {
    check(span, chunk) {
      begun.push(chunk.upTo)
      if (chunk.upTo === 3) leaving.abort()
      const report = turn.then(() => checkChunk(bulk, span, chunk))
      turn = report
      return report
    },
    trace: () => Promise.reject(new Error('nothing is wrong with it')),
  }
  const options = { db: database.db, reader, threads: 2, chunkEntries: 1 }
  await expect(verifySpan(options, tenantId, all, leaving.signal)).rejects.toThrow('aborted')
  await turn
  await bulk.close()
  expect(begun.length).toBeLessThanOrEqual(4)
})

test('a caller that leaves gets no answer, and the next one does', async () => {
  const leaving = new AbortController()
  const left = verifier.verify(tenantId, all, leaving.signal)
  const waiting = verifier.verify(tenantId, all, leaving.signal)
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  await expect(waiting).rejects.toThrow('aborted')
  expect(await verify()).toMatchObject({ chained: size })
})
