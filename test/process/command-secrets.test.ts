import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandRows } from '../../packages/service/src/main/cli/command-table/commands.js'
import { runCommand } from '../harness/processes/command.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { startTestService, type TestService } from '../harness/service/service.js'

let service: TestService
let target: TestDatabase
let cwd: string

beforeAll(async () => {
  service = await startTestService()
  target = await createTestDatabase()
  cwd = await mkdtemp(join(tmpdir(), 'tallystick-operator-'))
})
afterAll(async () => {
  await service.stop()
  await target.drop()
  await rm(cwd, { recursive: true, force: true })
})

/** Every secret that a command may do without, each of them unreadable. */
const unreadable: Record<string, string> = {
  ...{ OPENAI_API_KEY: 'vault:secret/openai#key', MISTRAL_API_KEY: 'file:none', REDIS_URL: 'env:NONE' },
  ...{ TALLYSTICK_MASTER_KEY: 'aws-sm:master', TALLYSTICK_SIGNING_KEY: 'env:NONE' },
  ...{ TALLYSTICK_BOOTSTRAP_KEY: 'wrong', TALLYSTICK_CONFIG: '/nowhere/tallystick.yaml' },
  ...{ TALLYSTICK_BACKUP_PASSPHRASE: 'file:none', TALLYSTICK_TLS_KEY: '/nowhere', HTTPS_PROXY: 'env:NONE' },
}

/** For each command: its arguments, and how it ends. Without an end, it succeeds. */
const runs: Record<string, { args?: () => string[]; ends?: string }> = {
  migrate: {},
  'tenant create': { args: () => ['acme'] },
  'tenant list': {},
  'key create': { args: () => ['--tenant', 'default', '--role', 'member'] },
  'rebuild calls': {},
  'rebuild usage': {},
  'signing-key list': {},
  'master-key status': {},
  'master-key rotate': {},
  'master-key replace': { ends: 'is here' },
  'signing-key rotate': {},
  'signing-key retire': { args: () => ['x'.repeat(43)], ends: 'signing key' },
  'record drop': {
    args: () => ['--tenant', 'default', '--export', 'dropped.jsonl', '--before-seq', '1'],
    ends: 'No such entries to drop',
  },
  'record accept-restore': { ends: 'Looked up how far records were sealed' },
  demo: { args: () => ['--calls', '100', '--days', '1', '--tenant', 'shown'] },
  backup: { args: () => ['a.backup'] },
  restore: { args: () => ['a.backup', '--replace'] },
  'move-to': { args: () => [target.url], ends: 'The database is not empty' },
}
/** They need all settings, or none: a service, its check, and what runs without a database. */
const others = ['serve', 'init', 'doctor', 'completion']

test('the table has every command', () => {
  const names = commandRows.flatMap((row) => (row.isSeparate ? [] : row.name))
  expect([...Object.keys(runs), ...others].sort()).toEqual(names.sort())
})

const needsOf = (name: string): readonly string[] => commandRows.find((row) => row.name === name)?.needs ?? []

/** The environment has the secrets that the command needs, and all others are broken. */
function environmentOf(name: string): Record<string, string> {
  const needs = needsOf(name)
  const others = Object.entries(unreadable).filter(([setting]) => !needs.includes(setting))
  return {
    ...Object.fromEntries(others),
    ...(needs.includes('TALLYSTICK_BACKUP_PASSPHRASE') && { TALLYSTICK_BACKUP_PASSPHRASE: 'a passphrase' }),
    DATABASE_URL: name === 'restore' ? target.url : service.database.url,
    TALLYSTICK_DATA_DIR: service.dataDir,
  }
}

test.each(Object.entries(runs))('%s runs while only what it needs can be read', async (name, run) => {
  const args = [...name.split(' '), ...(run.args?.() ?? [])]
  const { exitCode, stderr, stdout } = await runCommand(args, environmentOf(name), cwd)
  expect(stderr).not.toContain('The configuration has')
  if (run.ends === undefined) expect(exitCode, stderr).toBe(0)
  else expect(stderr + stdout).toContain(run.ends)
})

const needing = Object.keys(runs).flatMap((name) => needsOf(name).map((need) => [name, need] as const))
test.each(needing.filter(([, need]) => need in unreadable && !/TLS/.test(need)))(
  '%s says when it cannot read %s',
  async (name, need) => {
    const args = [...name.split(' '), ...(runs[name]?.args?.() ?? [])]
    const env = { ...environmentOf(name), [need]: unreadable[need] ?? '' }
    const { exitCode, stderr } = await runCommand(args, env, cwd)
    expect(exitCode, stderr).toBe(2)
    expect(stderr).toContain(need)
    expect(stderr).not.toContain('OPENAI_API_KEY')
  },
)
