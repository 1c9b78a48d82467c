import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { startServiceProcess } from '../harness/processes/process.js'
import { random } from '../harness/run/seed.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { chooseFaults, combine, inFile, isAbout } from '../harness/settings/setting-faults.js'

let database: TestDatabase
let cwd: string
beforeAll(async () => {
  database = await createTestDatabase()
  await database.query('drop schema public cascade')
  await database.query('create schema public')
})
afterAll(async () => await database.drop())
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'tallystick-faults-'))
})
afterEach(async () => await rm(cwd, { recursive: true, force: true }))

const noServer = 'postgres://tallystick@127.0.0.1:1/tallystick'

async function expectNothingCreated(files: string[]): Promise<void> {
  expect(await readdir(cwd)).toEqual(files)
  expect(await database.query("select tablename from pg_tables where schemaname = 'public'")).toEqual([])
}

/** The one JSON line of the report. Node itself may warn about NODE_EXTRA_CA_CERTS before it. */
function reportIn(stderr: string): { level: string; msg: string; faults: string[] } {
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Warning: '))
  expect(lines).toHaveLength(1)
  return JSON.parse(lines[0] ?? '')
}

test.each([1, 2, 3, 4])(
  'a start with several faults prints all of them in one JSON line and creates nothing (%i)',
  async () => {
    const faults = chooseFaults(3 + Math.floor(random() * 15))
    const { env, yaml } = combine(faults, { TALLYSTICK_PORT: '0', DATABASE_URL: database.url })
    await writeFile(join(cwd, 'tallystick.yaml'), yaml)
    const { exitCode, stdout, stderr } = await runCommand(['serve'], env, cwd)
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 2, stdout: '' })
    const report = reportIn(stderr)
    expect(report).toMatchObject({
      level: 'fatal',
      msg: expect.stringMatching(/^The configuration has \d+ faults$/),
    })
    expect(faults.filter((fault) => !report.faults.some((line) => isAbout(fault, line)))).toEqual([])
    await expectNothingCreated(['tallystick.yaml'])
  },
)

test('SIGHUP with several faults in the file logs all of them and changes nothing', async () => {
  const file = join(cwd, 'tallystick.yaml')
  await writeFile(file, 'callsRetentionDays: 30\n')
  const key = `tallystick_sk_${'a'.repeat(40)}`
  const service = await startServiceProcess(
    { DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: join(cwd, 'data'), TALLYSTICK_BOOTSTRAP_KEY: key },
    [],
    cwd,
  )
  const reports = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes('nothing was changed'))
  try {
    for (let round = 1; round <= 5; round++) {
      const faults = chooseFaults(1 + Math.floor(random() * 8), inFile)
      await writeFile(
        file,
        combine([{ setting: '', env: {}, says: '', file: { callsRetentionDays: 31 } }, ...faults]).yaml,
      )
      process.kill(service.pid, 'SIGHUP')
      await waitFor('the report', () => reports().length === round)
      const report: { level: string; faults: string[] } = JSON.parse(reports().at(-1) ?? '')
      expect(report.level).toBe('error')
      expect(faults.filter((fault) => !report.faults.some((line) => isAbout(fault, line)))).toEqual([])
      expect((await createApi(service.address, key).get('/v1/about')).body.retention.callsDays).toBe(30)
    }
  } finally {
    await service.end('SIGTERM')
    await database.query('drop schema public cascade')
    await database.query('create schema public')
  }
})

test('a taken port and packs with faults are in the report of all others', async () => {
  const service = await startServiceProcess({ TALLYSTICK_DATA_DIR: join(cwd, 'data') }, [], cwd)
  try {
    await writeFile(join(cwd, 'bad.json'), '{')
    const { exitCode, stderr } = await runCommand(
      ['serve'],
      {
        TALLYSTICK_PORT: new URL(service.address).port,
        TALLYSTICK_PACKS_DIR: '.',
        TALLYSTICK_LOG_FORMAT: 'pretty',
        TALLYSTICK_WORKERS: 'many',
        DATABASE_URL: noServer,
      },
      cwd,
    )
    expect(exitCode).toBe(2)
    expect(stderr.split('\n')).toEqual([
      'The configuration has 3 faults:',
      `  - TALLYSTICK_PACKS_DIR: ${join(cwd, 'bad.json')}: is not JSON`,
      '  - TALLYSTICK_WORKERS: must be a whole number from 1 to 999, or auto',
      expect.stringMatching(
        /^ {2}- TALLYSTICK_PORT: another program listens on port \d+ of 127\.0\.0\.1; stop it/,
      ),
      '',
    ])
  } finally {
    await service.end('SIGTERM')
  }
})

describe('servers that cannot be used', () => {
  const env = {
    DATABASE_URL: noServer,
    TALLYSTICK_DATABASE_DIRECT_URL: 'postgres://tallystick@127.0.0.1:2/tallystick',
    REDIS_URL: 'redis://127.0.0.1:3',
    TALLYSTICK_PORT: '0',
  }
  const refused = (name: string, port: number) =>
    expect.stringMatching(new RegExp(`^${name}: .*ECONNREFUSED 127\\.0\\.0\\.1:${port}; check`))
  const all = [
    refused('DATABASE_URL', 1),
    refused('TALLYSTICK_DATABASE_DIRECT_URL', 2),
    refused('REDIS_URL', 3),
  ]

  test.each(['1', '2'])('are in one report, with %s workers', async (TALLYSTICK_WORKERS) => {
    const { exitCode, stderr } = await runCommand(['serve'], { ...env, TALLYSTICK_WORKERS }, cwd)
    expect(exitCode).toBe(1)
    const reports = stderr.split('\n').filter((line) => line.includes('"faults"'))
    expect(reports.map((line) => JSON.parse(line).faults)).toEqual([all])
    await expectNothingCreated([])
  })

  test('are told to a command too, one in each line', async () => {
    const { exitCode, stderr } = await runCommand(['tenant', 'list'], env, cwd)
    expect(exitCode).toBe(1)
    expect(stderr.split('\n').slice(0, -1)).toEqual([
      'Servers cannot be used:',
      ...all.slice(0, 2).map(() => expect.stringContaining('ECONNREFUSED')),
    ])
  })
})
