import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../packages/service/src/db/index.js'
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

const run = (args: string[], env: Record<string, string> = {}) =>
  runCommand(args, { DATABASE_URL: service.database.url, TALLYSTICK_LOG_FORMAT: 'pretty', ...env }, cwd)

const valueIn = (text: string) => /tallystick_sk_[0-9A-Za-z]{40}/.exec(text)?.[0] ?? ''

test('tenant create makes a tenant with a manager key that a running service accepts at once', async () => {
  const { exitCode, stdout, stderr } = await run(['tenant', 'create', 'acme'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(
    /^Tenant acme \(tenant_[0-9a-z]{26}\)\nManager key, shown only once: tallystick_sk_\w+\n$/,
  )
  const acme = service.as(valueIn(stdout))
  expect((await acme.get('/v1/keys')).body.data).toMatchObject([
    { name: 'First manager key', role: 'manager', createdBy: 'operator' },
  ])
  expect(
    (
      await acme.post('/v1/chat/completions', {
        model: 'mock/echo',
        messages: [{ role: 'user', content: 'Hi' }],
      })
    ).status,
  ).toBe(200)
})

test('tenant list shows every tenant: name, id and when it was made', async () => {
  const { exitCode, stdout } = await run(['tenant', 'list'])
  expect(exitCode).toBe(0)
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(lines).toEqual([
    ['default', expect.stringMatching(/^tenant_/), expect.stringMatching(/^\d{4}-.*Z$/)],
    ['acme', expect.stringMatching(/^tenant_/), expect.stringMatching(/^\d{4}-.*Z$/)],
  ])
})

test('no command but migrate changes the schema; migrate says what it would do, whether it is due, and does it', async () => {
  const url = new URL(service.database.url)
  url.pathname = `/operator_${newId('proc').toLowerCase()}`
  await service.database.query(`create database ${url.pathname.slice(1)}`)
  const env = { DATABASE_URL: url.href }
  try {
    const list = await run(['tenant', 'list'], env)
    expect(list).toMatchObject({ exitCode: 1, stdout: '' })
    expect(list.stderr).toContain('The database is empty: run `tallystick migrate`')
    const plan = await run(['migrate', '--plan'], env)
    expect(plan.exitCode).toBe(0)
    expect(plan.stdout).toContain('0001_initial.sql  (expand, in one transaction)')
    const check = await run(['migrate', '--check'], env)
    expect(check).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('run `tallystick migrate`') })
    const noServer = await run(['migrate', '--check'], {
      ...env,
      DATABASE_URL: 'postgres://127.0.0.1:9/none',
    })
    expect(noServer).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ECONNREFUSED') })
    const migrated = await run(['migrate'], env)
    expect(migrated).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Applied 0001_initial.sql'),
    })
    expect(await run(['migrate', '--check'], env)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('it is up to date'),
    })
    expect((await run(['tenant', 'list'], env)).exitCode).toBe(0)
  } finally {
    await service.database.query(`drop database ${url.pathname.slice(1)} with (force)`)
  }
})

test('key create is the way back in after a lock-out', async () => {
  await service.database.query(
    "update keys set revoked_at = now() where tenant_id = (select id from tenants where name = 'acme')",
  )
  const { exitCode, stdout } = await run([
    'key',
    'create',
    '--tenant',
    'acme',
    '--role',
    'manager',
    '--name',
    'Way back in',
  ])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(
    /^Key key_[0-9a-z]{26} \(manager\) of tenant acme\nValue, shown only once: tallystick_sk_\w+\n$/,
  )
  const { body } = await service.as(valueIn(stdout)).get('/v1/keys?status=active')
  expect(body.data).toMatchObject([{ name: 'Way back in', role: 'manager', createdBy: 'operator' }])
})

describe('what cannot be done is said in words, without a stack, and with an exit code', () => {
  test.each([
    [['tenant', 'create', 'default'], 1, 'There is already a tenant called default'],
    [
      ['tenant', 'create', 'No Spaces'],
      1,
      'name: must be 1 to 63 of a-z, 0-9, dot, hyphen and underscore, and start with a letter or digit',
    ],
    [
      ['key', 'create', '--tenant', 'nobody', '--role', 'manager'],
      1,
      'No such tenant: nobody; tallystick tenant list shows all of them',
    ],
    [['dance'], 2, 'There is no command "dance"'],
  ])('%j', async (args, code, message) => {
    const { exitCode, stdout, stderr } = await run(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' })
    expect(stderr.startsWith(message)).toBe(true)
    expect(stderr).not.toMatch(/\n\s+at /)
    // A wrong command is answered with the right ones.
    expect(stderr.includes('Usage:')).toBe(code === 2)
  })

  test('--help prints the commands, also where the settings are wrong', async () => {
    const { exitCode, stdout } = await run(['--help'], { TALLYSTICK_PORT: 'wrong' })
    expect(exitCode).toBe(0)
    for (const command of ['serve', 'tenant create NAME', 'tenant list', 'key create']) {
      expect(stdout).toContain(command)
    }
  })

  test.each(['--version', '-v'])(
    '%s prints the version of the package, also where the settings are wrong',
    async (option) => {
      const { version } = JSON.parse(
        await readFile(new URL('../../packages/service/package.json', import.meta.url), 'utf8'),
      )
      const { exitCode, stdout, stderr } = await run([option], { TALLYSTICK_PORT: 'wrong' })
      expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' })
    },
  )

  test.each([
    'migrate',
    'tenant list',
    'tenant create acme',
    'key create --tenant acme',
    'signing-key list',
    'signing-key rotate',
    'signing-key retire abc',
    'record drop --tenant acme --export acme.jsonl --before-seq 1',
  ])(
    '%s in a folder without a database creates nothing, and names the folder and its variable',
    async (command) => {
      const dataDir = join(cwd, 'wrong', 'data')
      const { exitCode, stdout, stderr } = await runCommand(
        command.split(' '),
        { TALLYSTICK_DATA_DIR: dataDir },
        cwd,
      )
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toContain(`TALLYSTICK_DATA_DIR: there is no database in ${dataDir}`)
      expect(await readdir(cwd)).not.toContain('wrong')
    },
  )

  test('with a database of its own, a command creates no data directory either', async () => {
    const dataDir = join(cwd, 'wrong', 'data')
    expect((await run(['tenant', 'list'], { TALLYSTICK_DATA_DIR: dataDir })).exitCode).toBe(0)
    expect(await readdir(cwd)).not.toContain('wrong')
  })

  test('faults of the settings are listed before anything starts', async () => {
    await writeFile(join(cwd, 'faulty.yaml'), 'models: { a: { provider: nobody } }\ncolour: blue\n')
    const { exitCode, stdout, stderr } = await run(['serve'], {
      TALLYSTICK_PORT: '70000',
      TALLYSTICK_CONFIG: 'faulty.yaml',
      DATABASE_URL: 'mysql://root:s3cret@x/y',
    })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr.split('\n')).toEqual([
      'The configuration has 4 faults:',
      '  - TALLYSTICK_PORT: must be a whole number from 0 to 65535',
      `  - ${join(cwd, 'faulty.yaml')}: colour: unknown field`,
      '  - models.a.provider: there is no such provider (configured: mock)',
      '  - DATABASE_URL: must be a URL that starts with postgres:// or postgresql://',
      '',
    ])
  })

  test.each([
    [
      'nobody listens',
      'serve',
      (url: URL) => Object.assign(url, { port: '1' }),
      /^Servers cannot be used:\n {2}- DATABASE_URL: connect ECONNREFUSED 127\.0\.0\.1:1; check the URL, .*\n$/,
    ],
    [
      'the password is wrong',
      'tenant list',
      (url: URL) => Object.assign(url, { password: 's3cret' }),
      /\n {2}- DATABASE_URL: password authentication failed for user/,
    ],
    [
      'there is no such database',
      'serve',
      (url: URL) => Object.assign(url, { pathname: '/nowhere' }),
      /\n {2}- DATABASE_URL: database "nowhere" does not exist; check/,
    ],
  ])('the database cannot be used: %s', async (_, command, spoil, message) => {
    const { exitCode, stderr } = await run(command.split(' '), {
      DATABASE_URL: spoil(new URL(service.database.url)).href,
      TALLYSTICK_PORT: '0',
    })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('s3cret')
  })

  test('a port that is taken is found out before anything starts', async () => {
    const { port } = new URL(service.address)
    const { exitCode, stderr } = await run(['serve'], { TALLYSTICK_PORT: port })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`TALLYSTICK_PORT: another program listens on port ${port} of 127.0.0.1`)
  })

  test('an address that this machine does not have is named', async () => {
    const { exitCode, stderr } = await run(['serve'], {
      TALLYSTICK_HOST: '203.0.113.1',
      TALLYSTICK_PORT: '0',
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('TALLYSTICK_HOST: this machine does not have the address 203.0.113.1')
  })
})
