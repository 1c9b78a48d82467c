import { execFile, execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchBun, fetchDeno } from '../../scripts/build/fetch-node.mjs'
import { chromiumPath, closeBrowserAfterwards, openBrowser } from '../console/harness/browser.js'
import { startTestService, type TestService } from '../harness/service/service.js'
import { root } from '../harness/service/snippets.js'

// The tarball of `npm pack`, installed into an empty folder, against a service: in Node, Deno, Bun and Chromium, without any other package.

const secret = 'whsec_zVK3rYyZ0pXk2l6gq0kq8Xx9JvL8mF2n1bT5cW7dE4M='

const run = promisify(execFile)

/** What the journey returns. */
const expected = {
  kept: [5, 1_000],
  names: ['b', 'a'],
  status: 'revoked',
  refusal: ['TallystickError', 'not_found', 404, true],
  receipt: true,
  forged: {
    ok: false,
    kind: 'changed',
    message: 'The receipt shows another costNanos than the text that was hashed',
  },
  stranger: {
    ok: false,
    kind: 'unknown_key',
    message: 'The checkpoint of the proof is signed by none of the trusted keys',
  },
  consistency: true,
  checkpoint: true,
  export: 'verified',
  unsigned: 'consistent',
  changed: [2],
  unusable: true,
  events: ['hello'],
  webhook: 'webhook.test',
}

let folder: string
let service: TestService

closeBrowserAfterwards()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallystick-sdk-'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  npm('pack', '--silent', '--pack-destination', folder, join(root, 'packages/sdk'))
  npm('install', '--silent', '--offline', '--no-audit', './tallystick-sdk-0.1.0.tgz')
  for (const name of ['journey.mjs', 'run-journey.mjs'])
    cpSync(join(root, 'test/harness/sdk', name), join(folder, name))
  service = await startTestService()
  for (const content of ['one', 'two', 'three'])
    await service.api.post('/v1/chat/completions', {
      model: 'mock/echo',
      messages: [{ role: 'user', content }],
    })
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

function given(name: string) {
  const body =
    '{"id":"dlv_1","event":"webhook.test","created":"2026-11-15T09:30:00.000Z","data":{"message":"é"}}'
  const time = Math.floor(Date.now() / 1_000)
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const delivery = { body, secret, signature: `t=${time},v1=${digest}` }
  return { baseUrl: service.address, apiKey: service.managerKey, name, delivery }
}

async function runJourney(program: string, args: string[]): Promise<unknown> {
  const { stdout } = await run(program, [...args, 'run-journey.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, JOURNEY: JSON.stringify(given(program)) },
  })
  return JSON.parse(stdout)
}

test('one package is installed, and its code imports nothing of Node', () => {
  expect(readdirSync(join(folder, 'node_modules/@tallystick'))).toEqual(['sdk'])
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@tallystick',
  ])
  const dist = join(folder, 'node_modules/@tallystick/sdk/dist')
  const code = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  expect(code.length).toBeGreaterThan(2)
  for (const name of code) {
    const imports = [
      ...readFileSync(join(dist, name), 'utf8').matchAll(/(?:from|import|require)\s*\(?\s*["']([^"']+)/g),
    ]
    expect(imports.filter(([, specifier = '']) => !specifier.startsWith('.'))).toEqual([])
  }
})

test('its types compile strictly, without those of any other package', async () => {
  const program = `import { createClient, type Schemas, TallystickError, verifyWebhook } from '@tallystick/sdk'
import { verifyExport, verifyReceipt } from '@tallystick/sdk/verify'
const tallystick = createClient({ baseUrl: 'http://127.0.0.1', apiKey: 'x', timeoutMs: 5 })
const key: Schemas['Key'] = await tallystick.getKey('key_1')
for await (const { name } of tallystick.listKeys({ status: 'active' })) name.trim()
const { nextCursor } = await tallystick.listCalls({ model: 'x' }, { signal: AbortSignal.timeout(5) })
for await (const event of tallystick.streamEvents()) if (event.event === 'call') event.data.requestId.trim()
const verdict = verifyReceipt(await tallystick.getReceipt(1), await tallystick.getInclusionProof(1), await tallystick.getSigningKeys())
const size: number = verdict.ok ? verdict.size : 0
const { findings } = await verifyExport(await tallystick.exportRecord(), { keys: await tallystick.getSigningKeys() })
export const text: string[] = [key.id, String(nextCursor), String(size), ...findings.flatMap(({ remarks }) => remarks), verifyWebhook.name, TallystickError.name]
// @ts-expect-error a misspelt member
void tallystick.createKey({ name: 'x', rpmlimit: 5 })
// @ts-expect-error the id is missing
void tallystick.getKey()
`
  writeFileSync(join(folder, 'typed.mts'), program)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.mts'] }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error)
  expect(stdout).toBe('')
})

test('Node runs it', async () => {
  expect(await runJourney(process.execPath, [])).toEqual(expected)
})

const deno = fetchDeno()
test.skipIf(deno === null && !process.env.CI)('Deno runs it', async () => {
  expect(
    await runJourney(deno ?? '', ['run', '--no-remote', '--allow-net', '--allow-env', '--allow-read']),
  ).toEqual(expected)
})

const bun = fetchBun()
test.skipIf(bun === null && !process.env.CI)('Bun runs it', async () => {
  expect(await runJourney(bun ?? '', [])).toEqual(expected)
})

test.skipIf(chromiumPath === undefined && !process.env.CI)('Chromium runs it', async () => {
  const page = await (await openBrowser()).newPage()
  await page.route(`${service.address}/sdk/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice('/sdk/'.length)
    await route.fulfill(
      path === '' ? { contentType: 'text/html', body: '<title>SDK</title>' } : { path: join(folder, path) },
    )
  })
  await page.goto(`${service.address}/sdk/`)
  const dist = './node_modules/@tallystick/sdk/dist'
  // A text, because the imports of a function would be rewritten for Node.
  const result = await page.evaluate(`Promise.all(
    ['./journey.mjs', '${dist}/index.js', '${dist}/verify/index.js'].map((path) => import(new URL(path, location.href).href)),
  ).then(([{ journey }, sdk, verify]) => journey(sdk, verify, ${JSON.stringify(given('chromium'))}))`)
  expect(result).toEqual(expected)
})
