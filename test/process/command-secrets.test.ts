import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandRows } from '../../packages/service/src/main/cli/command-table/commands.js'
import { runCommand } from '../harness/processes/command.js'
import { startTestService, type TestService } from '../harness/service/service.js'

let service: TestService
let cwd: string

beforeAll(async () => {
  service = await startTestService()
  cwd = await mkdtemp(join(tmpdir(), 'tallystick-operator-'))
})
afterAll(async () => {
  await service.stop()
  await rm(cwd, { recursive: true, force: true })
})

/** Every secret that a command may do without, each of them unreadable. */
const unreadable = {
  ...{ OPENAI_API_KEY: 'vault:secret/openai#key', MISTRAL_API_KEY: 'file:none', REDIS_URL: 'env:NONE' },
  ...{ TALLYSTICK_MASTER_KEY: 'aws-sm:master', TALLYSTICK_SIGNING_KEY_FILE: '/nowhere/signing-key' },
  ...{ TALLYSTICK_BOOTSTRAP_KEY: 'wrong', TALLYSTICK_CONFIG: '/nowhere/tallystick.yaml' },
}

const argumentsOf: Record<string, string[]> = {
  'tenant create': ['acme'],
  'key create': ['--tenant', 'default', '--role', 'member'],
}

const withoutSecrets = commandRows.filter(({ needs }) => needs?.length === 0).map(({ name }) => name)

test('the table names the commands that need no secret', () => {
  expect(withoutSecrets).toEqual([
    ...['migrate', 'tenant create', 'tenant list', 'key create', 'rebuild usage', 'signing-key list'],
  ])
})

test.each(withoutSecrets)('%s runs while no secret but the database can be read', async (name) => {
  const { exitCode, stderr } = await runCommand(
    [...name.split(' '), ...(argumentsOf[name] ?? [])],
    { ...unreadable, DATABASE_URL: service.database.url },
    cwd,
  )
  expect(exitCode, stderr).toBe(0)
})

test('a command reads the secret that it needs, and no other', async () => {
  const { TALLYSTICK_MASTER_KEY: _, ...others } = unreadable
  const env = { ...others, DATABASE_URL: service.database.url, TALLYSTICK_DATA_DIR: service.dataDir }
  expect(await runCommand(['master-key', 'status'], env, cwd)).toMatchObject({ exitCode: 0, stderr: '' })
  const refused = await runCommand(['master-key', 'status'], { ...env, ...unreadable }, cwd)
  expect(refused.stderr).toContain('TALLYSTICK_MASTER_KEY: aws-sm:master needs AWS_REGION')
  expect(refused.stderr).not.toContain('OPENAI_API_KEY')
})
