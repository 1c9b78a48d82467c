import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fillRecord } from '../../../../../test/harness/record/fill-record.js'
import { createLedgerBench, type LedgerBench } from '../../../../../test/harness/record/ledger.js'
import {
  hasOpenssl,
  startTimeStampAuthority,
  type TimeStampAuthority,
} from '../../../../../test/harness/record/time-stamp-authority.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import {
  createCheckpointVerifiers,
  verifyCheckpoint,
} from '../../../../record/src/format/signing/checkpoint.js'
import { readPublicJwk } from '../../../../record/src/format/signing/public-key.js'
import { type Database, openDatabase } from '../../db/index.js'
import { listPublicJwks } from '../keys/published-keys.js'
import { type AnchorTarget, createDailyAnchor, type DailyAnchor } from './daily-anchor.js'
import { describeAnchor } from './describe-anchor.js'
import { listAnchors } from './store.js'

let bench: LedgerBench
let database: Database
let folder: string
let clock: Date
let errors: unknown[]
let first: string
let second: string
const started: DailyAnchor[] = []

beforeEach(async () => {
  bench = await createLedgerBench({ tenants: 2 })
  ;[first = '', second = ''] = bench.tenantIds
  database = openDatabase(bench.database.url, () => undefined)
  folder = await mkdtemp(join(tmpdir(), 'tallystick-anchor-'))
  errors = []
  clock = new Date('2026-11-15T00:06:00.000Z')
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((anchor) => anchor.close()))
  await database.close()
  await bench.close()
  await rm(folder, { recursive: true, force: true })
})

/** Entries of a day, in two groups: of a day's checkpoints the last one counts. */
async function grow(tenantId: string, day: string): Promise<void> {
  await fillRecord({ database: bench.database, dataDir: bench.dataDir, tenantId, groups: [2, 3] })
  await bench.database.query(
    `update seals set created_at = $2::date + interval '12 hours' where tenant_id = $1 and created_at > now() - interval '1 hour'`,
    [tenantId, day],
  )
}

function start(target: AnchorTarget): DailyAnchor {
  const onError = (error: unknown) => void errors.push(error)
  const anchor = createDailyAnchor({ db: database.db, target, now: () => clock, onError })
  started.push(anchor)
  return anchor
}

const inFile = (): AnchorTarget => ({ type: 'file', path: join(folder, 'anchors.jsonl') })
const readLines = async (name = 'anchors.jsonl') =>
  (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n')
const stored = (tenantId: string) => listAnchors(database.db, tenantId, { after: null, limit: 10 })
const anchored = (count: number) =>
  waitFor('the anchors', async () => {
    const all = [...(await stored(first)), ...(await stored(second))]
    return all.length >= count && all
  })

describe('a file', () => {
  test('gets the last checkpoint of each day that is over, of every tenant, as signed notes', async () => {
    await grow(first, '2026-11-12')
    await grow(first, '2026-11-14')
    await grow(second, '2026-11-14')
    // Today is not over.
    await grow(first, '2026-11-15')
    start(inFile())
    await anchored(3)
    const lines = (await readLines()).map((line) => JSON.parse(line))
    expect(lines.map(({ tenant, day, size }) => ({ tenant, day, size }))).toEqual([
      { tenant: first, day: '2026-11-12', size: 5 },
      { tenant: first, day: '2026-11-14', size: 10 },
      { tenant: second, day: '2026-11-14', size: 5 },
    ])
    const keys = (await listPublicJwks(database.db)).map(readPublicJwk)
    for (const { tenant, size, note } of lines) {
      const verdict = verifyCheckpoint(note, tenant, createCheckpointVerifiers(tenant, keys))
      expect(verdict).toMatchObject({ ok: true, checkpoint: { size } })
    }
  })

  test('is written to once for a day, however many replicas look, and goes on the next day', async () => {
    await grow(first, '2026-11-14')
    const replicas = [start(inFile()), start(inFile()), start(inFile())]
    await anchored(1)
    for (const replica of replicas) await waitFor('its turn', () => replica.run())
    expect(await readLines()).toHaveLength(1)
    await grow(first, '2026-11-15')
    for (const replica of replicas) await waitFor('its turn', () => replica.run())
    expect(await readLines()).toHaveLength(1)
    clock = new Date('2026-11-16T00:06:00.000Z')
    for (const replica of replicas) await waitFor('its turn', () => replica.run())
    expect(await readLines()).toHaveLength(2)
  })

  test('that cannot be written is tried again, and no day is left out', async () => {
    await grow(first, '2026-11-13')
    const missing: AnchorTarget = { type: 'file', path: join(folder, 'missing', 'anchors.jsonl') }
    start(missing)
    await waitFor('the failure', () => errors.length > 0)
    expect(await stored(first)).toEqual([])
    await grow(first, '2026-11-14')
    start(inFile())
    await anchored(2)
    expect(await readLines()).toHaveLength(2)
  })

  test('of each day is a file of its own where the path says so', async () => {
    await grow(first, '2026-11-13')
    await grow(first, '2026-11-14')
    start({ type: 'file', path: join(folder, 'anchor-{day}.jsonl') })
    await anchored(2)
    expect(await readLines('anchor-2026-11-13.jsonl')).toHaveLength(1)
    expect(await readLines('anchor-2026-11-14.jsonl')).toHaveLength(1)
  })

  test('that ends in half a line is gone on with on a line of its own', async () => {
    await appendFile(join(folder, 'anchors.jsonl'), '{"type":"tally')
    await grow(first, '2026-11-14')
    start(inFile())
    await anchored(1)
    const [half, whole = ''] = await readLines()
    expect(half).toBe('{"type":"tally')
    expect(JSON.parse(whole)).toMatchObject({ day: '2026-11-14' })
  })
})

describe.skipIf(!hasOpenssl)('a time-stamp authority', () => {
  let authority: TimeStampAuthority
  beforeAll(async () => {
    authority = await startTimeStampAuthority()
  })
  afterAll(() => authority.close())

  test('stamps each day’s checkpoint, and OpenSSL confirms what it stamped', async () => {
    await grow(first, '2026-11-13')
    await grow(first, '2026-11-14')
    start({ type: 'rfc3161', url: authority.url })
    const anchors = await anchored(2)
    for (const { note, token } of anchors) {
      expect(await authority.verify(note, token ?? Buffer.of())).toBe(true)
      expect(await authority.verify(`${note} `, token ?? Buffer.of())).toBe(false)
    }
    expect(await describeAnchor(database.db, first, 10)).toMatchObject({
      type: 'rfc3161',
      note: expect.stringContaining('The checkpoint of 2026-11-14 over 10 entries was stamped'),
      isContradicted: false,
    })
  })

  test.each([
    ['an error', { status: 500, body: Buffer.from('no') }, 'answered 500'],
    ['a page', { type: 'text/html', body: Buffer.from('<p>') }, 'something else'],
    ['rubbish', { body: Buffer.from('rubbish') }, 'DER'],
    ['too much', { body: Buffer.alloc(300_000) }, 'more than a time-stamp'],
  ])('that answers with %s is asked again later', async (_, answer, words) => {
    await grow(first, '2026-11-14')
    authority.misbehave(answer)
    const anchor = start({ type: 'rfc3161', url: authority.url })
    await waitFor('the failure', () => errors.length > 0)
    expect(String(errors[0])).toContain(words)
    expect(await stored(first)).toEqual([])
    authority.misbehave(null)
    expect(await anchor.run()).toBe(true)
    expect(await stored(first)).toHaveLength(1)
  })
})

describe('what an attestation says of it', () => {
  test('is that nobody outside holds a copy, as long as nobody does', async () => {
    await grow(first, '2026-11-14')
    expect(await describeAnchor(database.db, first, 5)).toMatchObject({
      type: 'none',
      note: expect.stringContaining('Self-attested'),
      isContradicted: false,
    })
  })

  test('is which checkpoint covers the period, and what is newer than it', async () => {
    await grow(first, '2026-11-13')
    await grow(first, '2026-11-14')
    start(inFile())
    await anchored(2)
    const covering = await describeAnchor(database.db, first, 4)
    expect(covering).toMatchObject({
      type: 'file',
      note: expect.stringContaining('of 2026-11-13 over 5 entries'),
    })
    await grow(first, '2026-11-15')
    const behind = await describeAnchor(database.db, first, 12)
    expect(behind.note).toContain('of 2026-11-14 over 10 entries')
    expect(behind.note).toContain('Entries after 10 are newer')
  })

  test('is that the record was cut off or rewritten, when it is not the one that was anchored', async () => {
    await grow(first, '2026-11-14')
    start(inFile())
    await anchored(1)
    const { query } = bench.database
    for (const damage of [
      `update receipts set leaf_hash = sha256(leaf_hash) where tenant_id = $1 and seq = 2`,
      `update receipts set leaf_hash = '\\x01' where tenant_id = $1 and seq = 2`,
      `delete from receipts where tenant_id = $1 and seq > 3`,
      `update anchors set note = 'torn' where tenant_id = $1`,
    ]) {
      await query(damage, [first])
      expect(await describeAnchor(database.db, first, 3)).toMatchObject({
        isContradicted: true,
        note: expect.stringContaining('cut off or rewritten'),
      })
    }
  })
})
