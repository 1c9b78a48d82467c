import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLedgerBench, type LedgerBench } from '../../../../../../test/harness/record/ledger.js'
import { newReceipt } from '../../../../../../test/harness/record/receipt.js'
import { type Database, openDatabase } from '../../../db/index.js'
import { projectCalls } from '../../calls/index.js'
import { reportUsage } from '../reports/report.js'
import { closeDays } from './closed-days.js'
import { foldAll } from './fold.js'
import { projectUsage } from './projection.js'
import { boundTags, maxTagSets } from './rare-tags.js'
import { rebuildUsage } from './rebuild.js'

let bench: LedgerBench
let database: Database
beforeAll(async () => {
  bench = await createLedgerBench({ tenants: 1 })
  database = openDatabase(bench.database.url, () => undefined)
})
afterAll(async () => {
  await database.close()
  await bench.close()
})

const dayMs = 86_400_000
const day = Math.floor(Date.now() / dayMs) * dayMs - 3 * dayMs
const at = (hour: number) => new Date(day + hour * 3_600_000 + 60_000).toISOString()

const countTags = async () =>
  await bench.database.query<{ hour: string; tags: number }>(
    `select extract(hour from hour at time zone 'UTC')::int as hour, count(distinct tags)::int as tags
     from folded_usage_hours group by 1 order by 1`,
  )

test('an hour keeps a bounded number of tags, and every tag is still reported', async () => {
  const [tenantId = ''] = bench.tenantIds
  const ledger = await bench.open({ projections: [projectCalls, projectUsage] })
  const append = (hour: number, tags: Record<string, string>) =>
    ledger.append(newReceipt(tenantId, { ts: at(hour), tags }))
  await Promise.all(
    Array.from({ length: maxTagSets + 50 }, (_, i) => append(5, { run: `r${i}`, env: 'prod' })),
  )
  await foldAll(database.db)
  await Promise.all(Array.from({ length: 30 }, (_, i) => append(5, { run: `later${i}`, env: 'prod' })))
  await append(6, { run: 'r1', env: 'prod' })
  const report = async (filter: object) => {
    const span = { from: new Date(day).toISOString(), to: new Date(day + dayMs).toISOString() }
    const { totals, groups } = await reportUsage(database.db, () => new Date(), {
      tenantId,
      own: null,
      ...span,
      ...filter,
    })
    return { requests: totals.requests, groups: groups.map(({ key, requests }) => [key, requests]) }
  }
  const all = maxTagSets + 81
  const expectReports = async () => {
    expect(await report({ groupBy: 'tag.env' })).toEqual({ requests: all, groups: [['prod', all]] })
    expect(await report({ 'tag.run': 'later29' })).toMatchObject({ requests: 1 })
    expect(await report({ 'tag.run': 'r1' })).toMatchObject({ requests: 2 })
    expect(await report({ groupBy: 'model' })).toMatchObject({ requests: all })
  }
  await expectReports()
  const bounded = [
    { hour: 5, tags: maxTagSets + 1 },
    { hour: 6, tags: 1 },
  ]
  await foldAll(database.db)
  expect(await countTags()).toEqual(bounded)
  await expectReports()
  await closeDays(database.db, new Date())
  await expectReports()
  await rebuildUsage(database.db, tenantId, () => undefined)
  expect(await countTags()).toEqual(bounded)
  await expectReports()
})

test('tags within the bound stay as they are, whatever the order of their names', () => {
  const call = (tags: Record<string, string>) => ({ at: at(1), dimensions: { tags }, sum: {} }) as never
  const tagsOf = (calls: readonly { dimensions: { tags: object } }[]) =>
    calls.map(({ dimensions }) => dimensions.tags)
  const calls = [{ a: '1', b: '2' }, {}, { b: '2', a: '1' }, { a: '2' }, { a: '3' }, { a: '2' }]
  expect(tagsOf(boundTags(calls.map(call), 2))).toEqual([...calls.slice(0, 4), { '': '' }, { a: '2' }])
})
