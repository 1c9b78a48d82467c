import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { rotateMasterKey } from '../../../packages/service/src/secrets/index.js'
import { masterKey } from '../../harness/processes/master-key.js'
import { replaceFile } from '../../harness/processes/replace-file.js'
import { sendJson, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { waitFor } from '../../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function makePlace(): Promise<{ database: TestDatabase; upstream: Upstream }> {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const upstream = await startUpstream((_, response) =>
    sendJson(response, 200, {
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  )
  closing.push(upstream.close)
  return { database, upstream }
}
const call = ({ api }: TestService, model = 'mine/gpt-4o-mini') =>
  api.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })
const provider = ({ url }: Upstream) => ({
  ...{ name: 'mine', type: 'openai', baseUrl: `${url}/v1`, pricesOf: 'openai' },
  headers: { 'x-team': 'a-secret-of-the-team' },
  credentials: [{ name: 'first', value: 'sk-sealed-key' }],
})

test('a credential that cannot be decrypted is shown as such, is not passed over in silence, and works again with its key', async () => {
  const { database, upstream } = await makePlace()
  const otherKey = Buffer.alloc(32, 'stick').toString('base64')
  const start = (key: string, managerKey = '') =>
    startTestService({ database, managerKey, env: { TALLYSTICK_MASTER_KEY: key } })
  const first = await start(masterKey)
  const { managerKey } = first
  const { body: made } = await first.api.post('/v1/providers', provider(upstream))
  await first.api.post('/v1/providers', { ...provider(upstream), name: 'plain', headers: {} })
  await first.stop()

  const lost = await start(otherKey, managerKey)
  const { body: shown } = await lost.api.get(`/v1/providers/${made.id}`)
  expect(shown).toMatchObject({
    secretStatus: 'undecryptable',
    headers: [],
    credentials: [{ name: 'first', hint: '-key', status: 'undecryptable' }],
  })
  expect((await call(lost)).body.error).toMatchObject({
    type: 'model_not_found',
    message: expect.stringContaining('the headers of provider mine cannot be decrypted'),
  })
  expect((await call(lost, 'plain/gpt-4o-mini')).body.error.message).toContain(
    'the credentials of provider plain cannot be decrypted',
  )
  expect(await lost.api.post(`/v1/providers/${made.id}/test`)).toMatchObject({
    body: { ok: false, error: expect.stringContaining('cannot be decrypted') },
  })
  expect((await lost.api.get('/v1/attention')).body.credentials).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ credentialId: made.credentials[0].id, state: 'undecryptable' }),
    ]),
  )
  expect(upstream.seen).toEqual([])
  await lost.stop()

  const found = await start(`${otherKey},${masterKey}`, managerKey)
  expect((await call(found)).status).toBe(200)
  expect(upstream.seen[0]?.headers).toMatchObject({
    authorization: 'Bearer sk-sealed-key',
    'x-team': 'a-secret-of-the-team',
  })
  await found.stop()
})

test('after a rotation of the master key credentials are as good as before, also without the old key', async () => {
  const { database, upstream } = await makePlace()
  const service = await startTestService({ database })
  closing.push(service.stop)
  const { body: made } = await service.api.post('/v1/providers', provider(upstream))
  const { db, close } = openDatabase(database.url, () => undefined)
  await rotateMasterKey(db, { configured: null, dataDir: service.dataDir })
  await close()
  const file = join(service.dataDir, 'master-key')
  const [newest = ''] = (await readFile(file, 'utf8')).split('\n')
  await replaceFile(file, `${newest}\n`, 0o600)
  // A change has every secret of the tenant opened again.
  await service.api.patch(`/v1/providers/${made.id}`, { timeouts: { connectMs: 60_000 } })
  const added = await service.api.post(`/v1/providers/${made.id}/credentials`, {
    name: 'second',
    value: 'sk-sealed-later',
  })
  expect(added.status).toBe(201)
  const keys = new Set<unknown>()
  await waitFor('both keys', async () => {
    expect((await call(service)).status).toBe(200)
    return keys.add(upstream.seen.at(-1)?.headers.authorization).size === 2
  })
  expect((await service.api.get(`/v1/providers/${made.id}`)).body.credentials).toMatchObject([
    { status: 'active' },
    { status: 'active' },
  ])
})

test('where the rules are strict, a tenant’s base URL leads to no private place: not when it is saved, tested or called', async () => {
  const { database, upstream } = await makePlace()
  const env = { TALLYSTICK_MASTER_KEY: masterKey }
  const trial = await startTestService({ database, env })
  const { managerKey } = trial
  const { body: made } = await trial.api.post('/v1/providers', provider(upstream))
  expect((await call(trial)).status).toBe(200)
  await trial.stop()
  upstream.seen.length = 0

  const strict = await startTestService({ database, managerKey, env: { ...env, TALLYSTICK_HOST: '0.0.0.0' } })
  closing.push(strict.stop)
  for (const [baseUrl, rule] of [
    [upstream.url, 'must be an https URL'],
    ['https://127.0.0.1/v1', 'must not lead to this machine'],
    ['https://169.254.169.254/v1', 'must not lead to a link-local address'],
  ]) {
    const fields = { ...provider(upstream), name: 'another', baseUrl }
    for (const answer of [
      await strict.api.post('/v1/providers', fields),
      await strict.api.patch(`/v1/providers/${made.id}`, { baseUrl }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'baseUrl', message: expect.stringContaining(rule ?? '') }] } },
      })
  }
  // The address of a type obeys them too.
  const local = await strict.api.post('/v1/providers', { name: 'local', type: 'ollama' })
  expect(local.body.error).toMatchObject({ details: [{ path: 'baseUrl' }] })
  expect((await call(strict)).status).toBe(502)
  expect((await strict.api.post(`/v1/providers/${made.id}/test`)).body).toMatchObject({ ok: false })
  expect(upstream.seen).toEqual([])
})
