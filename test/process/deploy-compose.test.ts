import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { listOwnServices, readComposeFile } from '../harness/deploy/compose.js'
import { hasCaddy } from '../harness/network/caddy.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { findFreePort, hasRedis, type RedisServer, startRedis } from '../harness/processes/redis.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { root, snippets } from '../harness/service/snippets.js'

// What `docker compose up` starts, as processes of this machine: the environment of each replica is that of compose.yaml, with other
// hosts and ports, the secrets are those that the guide creates, and Caddy has its Caddyfile.

const test = anyTest.skipIf(!hasCaddy || !hasRedis)

const folder = mkdtempSync(join(tmpdir(), 'tallystick-compose-'))
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
let database: TestDatabase
let redis: RedisServer
let provider: Upstream
let replicas: ServiceProcess[] = []
let address: string
let agent: Agent

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
}

beforeAll(async () => {
  if (!hasCaddy || !hasRedis) return
  database = await createTestDatabase()
  redis = await startRedis()
  provider = await startUpstream((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  closers.push(() => database.drop(), redis.close, provider.close)
  const guide = snippets.find(({ page, code }) => page.endsWith('compose.md') && code.includes('openssl'))
  execFileSync('bash', ['-euc', guide?.code ?? ''], { cwd: folder, stdio: 'ignore' })
  writeFileSync(join(folder, 'secrets/database-url'), database.url)
  const own = listOwnServices(readComposeFile()).filter(([, { healthcheck }]) => healthcheck)
  for (const [name, { environment = {} }] of own)
    replicas.push(await startServiceProcess(localEnvironment(name, environment)))
  closers.push(() => Promise.all(replicas.map((replica) => replica.end('SIGTERM'))))
  address = await startCaddy(replicas.map((replica) => new URL(replica.address).host))
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

function localEnvironment(name: string, environment: Record<string, string>): Record<string, string> {
  const entries = Object.entries(environment).map(([variable, value]) => [
    variable,
    value.replace('/run/secrets', join(folder, 'secrets')).replace(/\$\{TALLYSTICK_DOMAIN.*\}/, 'localhost'),
  ])
  return {
    ...Object.fromEntries(entries),
    // Those of the image, and what stands for the other containers.
    NODE_ENV: 'production',
    TALLYSTICK_DATA_DIR: join(folder, name),
    TALLYSTICK_TRUSTED_PROXIES: '127.0.0.1',
    REDIS_URL: redis.url,
    OPENAI_BASE_URL: `${provider.url}/v1`,
  }
}

/** Resolves with the address once Caddy has a healthy replica. */
async function startCaddy(addresses: readonly string[]): Promise<string> {
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()]
  // Ports and folders of the machine are not used, and its trust store is left alone.
  const options = `{\n admin off\n skip_install_trust\n http_port ${httpPort}\n https_port ${httpsPort}\n}\n`
  const configuration = options + readFileSync(join(root, 'deploy/compose/Caddyfile'), 'utf8')
  mkdirSync(join(folder, 'caddy'))
  writeFileSync(join(folder, 'caddy/Caddyfile'), configuration)
  const caddy = spawn('caddy', ['run', '--config', join(folder, 'caddy/Caddyfile')], {
    env: {
      PATH: process.env.PATH,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      TALLYSTICK_DOMAIN: 'localhost',
      TALLYSTICK_REPLICAS: addresses.join(' '),
    },
    stdio: 'ignore',
  })
  closers.push(async () => {
    const gone = once(caddy, 'exit')
    caddy.kill('SIGTERM')
    await gone
  })
  const certificate = join(folder, 'caddy/pki/authorities/local/root.crt')
  const ca = await waitFor('the certificate', () => readIfWritten(certificate))
  agent = new Agent({ connect: { ca } })
  closers.push(() => agent.close())
  const url = `https://localhost:${httpsPort}`
  await waitFor('Caddy', () =>
    fetch(`${url}/readyz`, { dispatcher: agent }).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return url
}

function readIfWritten(path: string): string | null {
  try {
    return readFileSync(path, 'utf8') || null
  } catch {
    return null
  }
}

const call = () =>
  fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${readFileSync(join(folder, 'secrets/bootstrap-key'), 'utf8')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }),
  })

test('calls through TLS are answered with the secrets that the guide creates, and recorded', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, call))
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(provider.seen.at(-1)?.headers.authorization).toBe('Bearer sk-YOUR-KEY')
  const [counted] = await database.query<{ recorded: string }>('select count(*) as recorded from calls')
  expect(Number(counted?.recorded)).toBe(12)
})

test('metrics are not reachable from outside', async () => {
  const { status } = await fetch(`${address}/metrics`, { dispatcher: agent })
  expect(status).toBe(404)
})

test('a replica can be stopped under load without a failed call', async () => {
  const [first, ...others] = replicas
  let isStopped = false
  const stopped = first?.end('SIGTERM').then((code) => {
    isStopped = true
    return code
  })
  const statuses = new Set<number>()
  while (!isStopped) statuses.add((await call()).status)
  expect(await stopped).toBe(0)
  statuses.add((await call()).status)
  expect([...statuses]).toEqual([200])
  replicas = others
})
