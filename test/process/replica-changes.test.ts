import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { hasRedis } from '../harness/processes/redis.js'
import { type Replicas, startReplicas } from '../harness/processes/replicas.js'
import { aSecondMs, waitFor } from '../harness/run/wait.js'
import type { Api } from '../harness/service/api.js'
import type { TestService } from '../harness/service/service.js'

// What is changed on one replica acts on another.
const test = anyTest.skipIf(!hasRedis)

let replicas: Replicas | undefined
let one: TestService
let other: TestService
/** With the rules of production, which are stricter. */
let strict: TestService

beforeAll(async () => {
  if (!hasRedis) return
  const started = await startReplicas({}, {}, { NODE_ENV: 'production' })
  replicas = started
  one = started.one
  other = started.other
  strict = started.services[2] ?? other
})
afterAll(() => replicas?.stop())

const say = (api: Api, content: string) =>
  api.post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content }] })

test('a policy that is saved, changed, switched off or deleted on one replica acts on the other within a second', async () => {
  const within1s = (what: string, status: number) =>
    waitFor(what, async () => (await say(other.api, 'nightfall')).status === status, aSecondMs)
  expect((await say(other.api, 'nightfall')).status).toBe(200)

  for (let round = 0; round < 5; round++) {
    const { body } = await one.api.post('/v1/policies', {
      name: `Round ${round}`,
      kind: 'keywords',
      config: { words: ['nightfall'] },
    })
    const path = `/v1/policies/${body.id}`
    await within1s('the block', 403)
    await one.api.patch(path, { config: { words: ['daybreak'] } })
    await within1s('other words', 200)
    expect((await say(other.api, 'daybreak')).status).toBe(403)
    await one.api.patch(path, { config: { words: ['nightfall'] }, action: 'redact' })
    const isRedacted = async () =>
      (await say(other.api, 'nightfall')).body.choices?.[0].message.content === '[KEYWORD_1]'
    expect(await waitFor('the redaction', isRedacted, aSecondMs)).toBe(true)
    await one.api.patch(path, { action: 'block' })
    await within1s('the block again', 403)
    await one.api.patch(path, { enabled: false })
    await within1s('the end of it', 200)
    await one.api.patch(path, { enabled: true })
    await within1s('its return', 403)
    await one.api.delete(path)
    await within1s('its deletion', 200)
  }
})

test('what was saved under looser rules can still be switched off under stricter ones', async () => {
  const policy = { name: 'Loose', kind: 'http', config: { url: 'http://127.0.0.1:9000' } }
  const { body } = await one.api.post('/v1/policies', policy)
  expect((await strict.api.patch(`/v1/policies/${body.id}`, { enabled: false })).status).toBe(200)
  expect((await strict.api.patch(`/v1/policies/${body.id}`, { action: 'flag' })).status).toBe(400)
  expect((await one.api.delete(`/v1/policies/${body.id}`)).status).toBe(204)
})

test('a label that was moved on one replica is seen moved on another within a second', async () => {
  const { body: prompt } = await one.api.post('/v1/prompts', { name: 'moving', content: 'old' })
  const { body: version } = await one.api.post('/v1/prompts/versions', {
    promptId: prompt.id,
    content: 'new',
  })
  const { data: versions } = (await one.api.get(`/v1/prompts/${prompt.id}/versions`)).body
  const label = { promptId: prompt.id, label: 'production' }
  const readThere = async () =>
    (await other.api.get(`/v1/prompts/${prompt.id}/label/production`)).body.content
  await one.api.post('/v1/prompts/labels', { ...label, versionId: versions.at(-1).id })
  expect(await readThere()).toBe('old')
  await one.api.post('/v1/prompts/labels', { ...label, versionId: version.id })
  await waitFor('the moved label', async () => (await readThere()) === 'new', aSecondMs)
})

test('a user who is suspended on one replica is refused on the other within a second, at the gateway and at the management', async () => {
  const { body } = await one.api.post('/v1/keys', { name: 'suspended', userId: 'rogue' })
  const there = other.as(body.key)
  expect((await say(there, 'Hi')).status).toBe(200)
  await one.api.patch('/v1/user-limits/rogue', { status: 'suspended' })
  expect((await one.as(body.key).get('/v1/keys')).body.error.type).toBe('user_suspended')
  const refuses = async () => (await there.get('/v1/keys')).status === 403
  await waitFor('the other replica to refuse', refuses, aSecondMs)
  expect((await say(there, 'Hi')).body.error).toMatchObject({ type: 'user_suspended', code: 403 })
  await one.api.patch('/v1/user-limits/rogue', { status: 'active' })
  expect((await one.as(body.key).get('/v1/keys')).status).toBe(200)
})

test('every replica lists a pack in its receipts once any of them has activated it', async () => {
  await say(other.api, 'Hi')
  expect((await one.api.put('/v1/compliance/packs/soc2', { status: 'active' })).status).toBe(200)
  await waitFor('the pack on the other replica', async () => {
    await say(other.api, 'Hi')
    const [newest] = (await other.api.get('/v1/compliance/receipts?limit=1')).body.data
    return newest.packs?.includes('soc2@1.1')
  })
})
