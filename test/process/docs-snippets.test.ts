import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wavOf } from '../harness/media/make-wav.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { startWitness, type Witness } from '../harness/processes/process-list.js'
import { waitFor } from '../harness/run/wait.js'
import { type Api, createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { listOperations } from '../harness/service/openapi.js'
import { pages, readPage, root, type Snippet, snippets } from '../harness/service/snippets.js'

// Every block of README.md, packages/sdk/README.md and the pages below docs/ is run as it is printed, in the order of the pages, against one service. Only
// placeholders (`tallystick_sk_…`), address and port are filled in. A block that cannot be run says so, and why, in its first line.

let folder: string
let app: string
let database: TestDatabase
let service: ServiceProcess
let witness: Witness
let api: Api
let managerKey: string
let receiverPort: number
/** Everything that the blocks printed. */
let printed = ''

const hasPython = spawnSync('python3', ['--version']).status === 0
const hasCurl = spawnSync('curl', ['--version']).status === 0

beforeAll(async () => {
  // A folder like the repository, so that what the blocks write does not land in it.
  folder = await mkdtemp(join(tmpdir(), 'tallystick-docs-'))
  for (const name of ['package.json', 'tsconfig.json', 'packages/sdk'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['scripts', 'node_modules']) symlinkSync(join(root, name), join(folder, name))
  app = join(folder, 'app')
  mkdirSync(app)
  database = await createTestDatabase()
  service = await startServiceProcess(settings())
  managerKey = /tallystick_sk_[0-9A-Za-z]{40}/.exec(service.output())?.[0] ?? ''
  witness = await startWitness(service.address)
  api = createApi(service.address, managerKey)
  receiverPort = await findQuietPort()
})
afterAll(async () => {
  witness?.close()
  await service?.end('SIGTERM')
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Below those that the system gives to whoever asks for any: it is still free when the receivers are started. */
async function findQuietPort(port = 18_787): Promise<number> {
  const probe = createServer().listen(port, '127.0.0.1')
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return await findQuietPort(port + 1)
  probe.close()
  await once(probe, 'close')
  return port
}

const settings = () => ({ DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: join(folder, '.tallystick') })

const runs = (language: string, page?: string) =>
  snippets.filter((each) => each.language === language && each.isRun && (page ?? each.page) === each.page)

const isReceiver = ({ code }: Snippet) => code.includes('8787')

function fillIn({ code, place }: Snippet): string {
  const lastOf = (pattern: RegExp) =>
    [...printed.matchAll(pattern)].at(-1)?.[0] ?? 'nothing like it was printed'
  const filled = code
    .replaceAll('tallystick_sk_…', managerKey)
    .replaceAll('http://127.0.0.1:7070', witness.address)
    .replaceAll('8787', String(receiverPort))
    .replaceAll('whe_…', () => lastOf(/whe_\w+/g))
    .replaceAll('sink_…', () => lastOf(/sink_\w{26}/g))
    .replaceAll('prompt_…', () => lastOf(/prompt_\w{26}/g))
    .replaceAll('whsec_…', () => lastOf(/whsec_[\w+/=]+/g))
  if (/\w_…|=…/.test(filled)) throw new Error(`${place} has a placeholder that nobody fills`)
  return filled
}

function spawnWithKey(command: string, args: string[], cwd: string, env: Record<string, string> = {}) {
  return spawn(command, args, {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TALLYSTICK_URL: witness.address,
      TALLYSTICK_KEY: managerKey,
      ...settings(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs it to its end, and expects success: of the command, and of every request that it sent. */
async function expectToRun(command: string, args: string[], cwd: string): Promise<void> {
  const before = witness.answers.length
  const child = spawnWithKey(command, args, cwd)
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  printed += stdout
  const refused = witness.answers.slice(before).filter((answer) => !answer.startsWith('2'))
  expect({ exitCode, refused, ...(exitCode !== 0 && { stdout, stderr }) }).toEqual({
    exitCode: 0,
    refused: [],
  })
}

test('every block is of a language that is run here, or that nobody runs', () => {
  expect([...new Set(snippets.map(({ language }) => language))].sort()).toEqual([
    'go',
    'http',
    'ini',
    'js',
    'json',
    'nginx',
    'python',
    'sh',
    'text',
    'toml',
    'ts',
    'yaml',
  ])
  expect(snippets.filter((each) => each.isRun).length).toBeGreaterThan(20)
  for (const { code } of runs('json')) JSON.parse(code)
})

describe.skipIf(!hasCurl && !process.env.CI)('in a shell', () => {
  test.each(runs('sh'))('$place', async (snippet) => {
    const file = join(folder, 'block.sh')
    writeFileSync(file, fillIn(snippet))
    await expectToRun('sh', ['-eu', file], folder)
  })

  test('the commands of the reference page, for everything that needs no id', async () => {
    // Policies of the guides judge answers; speech cannot be judged, and would be refused. Their budgets refuse a
    // recording whose length is unknown.
    for (const { id } of (await api.get('/v1/policies')).body.data) await api.delete(`/v1/policies/${id}`)
    const document = (await api.get('/openapi.json')).body
    // A browser, an MCP client or a WebSocket calls these, with more than a key.
    const ofProtocols = /^\S+ \/(mcp|v1\/session\/oidc)|^GET \/v1\/responses$/
    const known = listOperations(document).filter(
      ({ at, samples: [sample = ''] }) => !ofProtocols.test(at) && !/URL\S*\{|_01k9|"ada"/.test(sample),
    )
    expect(known.length).toBeGreaterThan(25)
    const file = join(folder, 'block.sh')
    const script = known.map(({ samples: [sample] }) => `${sample}\n`).join('')
    writeFileSync(file, script)
    for (const [, name = ''] of script.matchAll(/=@([\w.-]+)/g))
      writeFileSync(join(folder, name), name.endsWith('.wav') ? wavOf({}, Buffer.alloc(32_000)) : 'of a user')
    await expectToRun('sh', ['-eu', file], folder)
  })

  test('no command line of any process had a key or a secret in it, while they ran', () => {
    const secrets = new Set([managerKey, ...(printed.match(/(tallystick_sk_|whsec_)[\w+/=]{20,}/g) ?? [])])
    expect(secrets.size).toBeGreaterThan(4)
    const lines = [...witness.seen]
    expect(lines.some((line) => line.startsWith('curl '))).toBe(true)
    expect(lines.filter((line) => [...secrets].some((secret) => line.includes(secret)))).toEqual([])
  })

  test('and none would, in the blocks that are not run', () => {
    for (const { language, code, place } of snippets)
      if (language === 'sh')
        expect({ place, found: /-H\s*["'](authorization|x-api-key)/i.test(code) }).toEqual({
          place,
          found: false,
        })
  })
})

describe('programs', () => {
  beforeAll(() => {
    // What `npm install <the packed file>` leaves, without the registry.
    const target = join(app, 'node_modules/@tallystick/sdk')
    mkdirSync(target, { recursive: true })
    if (!existsSync(join(folder, 'tallystick-sdk-0.1.0.tgz')))
      execFileSync('npm', ['pack', './packages/sdk'], { cwd: folder, stdio: 'ignore' })
    execFileSync('tar', [
      'xzf',
      join(folder, 'tallystick-sdk-0.1.0.tgz'),
      '-C',
      target,
      '--strip-components=1',
    ])
  })

  test.each(runs('js').filter((each) => !isReceiver(each)))('$place', async (snippet) => {
    writeFileSync(join(app, 'block.mjs'), fillIn(snippet))
    await expectToRun('node', ['block.mjs'], app)
  })

  test.each(runs('ts'))('$place, compiled strictly', async (snippet) => {
    writeFileSync(join(app, 'typed.mts'), fillIn(snippet))
    const options = [
      '--strict',
      '--skipLibCheck',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--types',
      'node',
    ]
    await expectToRun(join(root, 'node_modules/.bin/tsc'), ['--ignoreConfig', ...options, 'typed.mts'], app)
    await expectToRun('node', ['typed.mjs'], app)
  })
})

describe('receivers of webhooks', () => {
  /** Runs the receiver until the action ends, and returns what it printed. */
  async function withReceiver(
    snippet: Snippet,
    secret: string,
    action: () => Promise<void>,
  ): Promise<string> {
    const name = snippet.language === 'js' ? 'receiver.mjs' : 'receiver.py'
    writeFileSync(join(app, name), fillIn(snippet))
    const child = spawnWithKey(snippet.language === 'js' ? 'node' : 'python3', [name], app, {
      TALLYSTICK_WEBHOOK_SECRET: secret,
    })
    const output = text(child.stdout)
    try {
      await waitFor('the receiver to listen', () => canConnect(child))
      await action()
    } finally {
      child.kill('SIGTERM')
    }
    return await output
  }

  async function canConnect(child: ChildProcess): Promise<true | undefined> {
    if (child.exitCode !== null) throw new Error(`the receiver ended with ${child.exitCode}`)
    const socket = connect(receiverPort, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return true
    } catch {
      return undefined
    } finally {
      socket.destroy()
    }
  }

  const receivers = [...runs('js'), ...runs('python')].filter(isReceiver)

  test('there is one in Node and one in Python', () => {
    expect(receivers.map(({ language }) => language)).toEqual(['js', 'python'])
    if (process.env.CI) expect(hasPython).toBe(true)
  })

  test.each(receivers.filter(({ language }) => hasPython || language === 'js'))(
    '$language ($place) takes a real delivery, and refuses one that is signed with another secret',
    async (snippet) => {
      const created = await api.post('/v1/webhook-endpoints', {
        name: snippet.language,
        url: `http://127.0.0.1:${receiverPort}/tallystick`,
        type: 'generic',
        events: ['webhook.test'],
      })
      const { id, secret } = created.body
      const send = () => api.post(`/v1/webhook-endpoints/${id}/test`)
      const output = await withReceiver(snippet, secret, async () => {
        expect((await send()).body).toEqual({ delivered: true, error: null })
      })
      expect(output).toMatch(/^dlv_\w+ webhook\.test \S/)
      const refused = await withReceiver(snippet, `${secret}x`, async () => {
        expect((await send()).body).toMatchObject({ delivered: false, error: expect.stringContaining('400') })
      })
      expect(refused).toBe('')
    },
  )
})

describe('examples of tallystick.yaml', () => {
  const [complete, withKeys, withFiles] = runs('yaml', 'docs/reference/configuration.md')

  /** Starts in an empty folder that has this file; resolves with what was printed and whether it listened. */
  async function start(
    example: Snippet | undefined,
    env: Record<string, string> = {},
    prepare = (_folder: string) => {},
  ): Promise<{ started: boolean; output: string }> {
    const empty = await mkdtemp(join(tmpdir(), 'tallystick-yaml-'))
    const own = await createTestDatabase()
    writeFileSync(join(empty, 'tallystick.yaml'), example?.code ?? '')
    prepare(empty)
    try {
      const running = await startServiceProcess({ DATABASE_URL: own.url, ...env }, [], empty)
      await running.end('SIGTERM')
      return { started: true, output: running.output() }
    } catch (error) {
      return { started: false, output: String(error) }
    } finally {
      await own.drop()
      await rm(empty, { recursive: true, force: true })
    }
  }

  test('the first starts as it is', async () => {
    expect(complete?.code).not.toContain('$' + '{')
    expect(await start(complete)).toMatchObject({ started: true })
  })

  test('the one with keys starts when its variables are set, and otherwise the start names them', async () => {
    const names = [...(withKeys?.code.matchAll(/\$\{(\w+)\}/g) ?? [])].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(1)
    const { started, output } = await start(withKeys)
    expect(started).toBe(false)
    for (const name of names) expect(output).toContain(`the variable ${name} is not set`)
    const env = Object.fromEntries(names.map((name) => [name, 'sk-unused']))
    expect(await start(withKeys, env)).toMatchObject({ started: true })
  })

  test('the one that names files starts when they are there, and otherwise the start names them', async () => {
    const { started, output } = await start(withFiles)
    expect(started).toBe(false)
    expect(output).toMatch(/pricesFile: .*cannot be read/)
    expect(output).toMatch(/packsDir: .*not a folder/)
    const prepare = (into: string) => {
      writeFileSync(join(into, 'model_prices_and_context_window.json'), '{}')
      mkdirSync(join(into, 'packs'))
    }
    expect(await start(withFiles, {}, prepare)).toMatchObject({ started: true })
  })
})

describe('links', () => {
  test('docs/index.md names every page', () => {
    const named = [...readPage('docs/index.md').matchAll(/\]\(([\w/-]+\.md)\)/g)].map(
      ([, link]) => `docs/${link}`,
    )
    const expected = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/index.md')
    expect(expected.filter((page) => !named.includes(page))).toEqual([])
  })

  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-')

  const otherPages = [
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'SUPPORT.md',
    'deploy/README.md',
    'bench/README.md',
  ]
  test.each([...pages, ...otherPages])('of %s lead somewhere', (page) => {
    const links = [...readPage(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? join(root, page) : resolve(root, dirname(page), path)
      if (!existsSync(target)) return true
      if (anchor === undefined) return false
      const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(
        ([, words = '']) => words,
      )
      return !headings.map(anchorOf).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})
