import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { fillRecord } from '../harness/record/fill-record.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { startDatabaseProxy } from '../harness/service/database-proxy.js'

const program = fileURLToPath(new URL('../../packages/service/dist/cli/index.js', import.meta.url))
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const countCalls = async (database: TestDatabase): Promise<unknown> =>
  (
    await database.query(`select count(*)::int as rows, count(distinct seq)::int as receipts,
      count(*) filter (where model = 'wrong')::int as wrong from calls`)
  )[0]

test('a rebuild that is killed is finished by the next one, while the service runs', async () => {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-rebuild-'))
  closing.push(database.drop, () => rm(dataDir, { recursive: true, force: true }))
  const env = { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: dataDir }
  const service = await startServiceProcess(env)
  closing.push(() => service.end('SIGTERM'))
  const [tenant] = await database.query<{ id: string }>('select id from tenants')
  await fillRecord({ database, dataDir, tenantId: tenant?.id ?? '', groups: Array(24).fill(250) })

  // It says how far it is after each tenth: it is killed after the first.
  // It gets on only while this process does, which its database is reached through.
  const proxy = await startDatabaseProxy(database.url)
  closing.push(proxy.close)
  const child = spawn(process.execPath, [program, 'rebuild', 'calls'], {
    env: { ...process.env, ...env, DATABASE_URL: proxy.url },
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
    if (/[1-9]\d* %/.test(said)) child.kill('SIGKILL')
  })
  const [, signal] = await once(child, 'close')
  expect({ signal, said }).toMatchObject({ signal: 'SIGKILL' })
  expect(await countCalls(database)).not.toMatchObject({ rows: 6_000 })
  await database.query(`update calls set model = 'wrong' where seq % 2 = 0`)

  const { exitCode, stdout, stderr } = await runCommand(['rebuild', 'calls', '--tenant', 'default'], env)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stdout).toMatch(
    /default: the calls agree with the record\. \d+ were added or changed; 0 without a receipt were deleted/,
  )
  expect(await countCalls(database)).toEqual({ rows: 6_000, receipts: 6_000, wrong: 0 })
})
