import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { hasRedis } from '../harness/redis.js'
import { type Replicas, startReplicas } from '../harness/replicas.js'
import type { TestService } from '../harness/service.js'
import { aSecondMs, waitFor } from '../harness/wait.js'

const test = anyTest.skipIf(!hasRedis)

let replicas: (Replicas & { one: TestService; other: TestService }) | undefined

beforeAll(async () => {
  if (hasRedis) replicas = await startReplicas({}, {})
})
afterAll(() => replicas?.stop())

test('a policy that is saved, changed, switched off or deleted on one replica acts on the other within a second', async () => {
  if (!replicas) throw new Error('the replicas did not start')
  const { one, other } = replicas
  const say = async (content: string) =>
    await other.api.post('/v1/chat/completions', {
      model: 'mock/echo',
      messages: [{ role: 'user', content }],
    })
  const within1s = (what: string, status: number) =>
    waitFor(what, async () => (await say('nightfall')).status === status, aSecondMs)
  expect((await say('nightfall')).status).toBe(200)

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
    expect((await say('daybreak')).status).toBe(403)
    await one.api.patch(path, { config: { words: ['nightfall'] }, action: 'redact' })
    const redacted = await waitFor(
      'the redaction',
      async () => {
        const { body: answer } = await say('nightfall')
        return answer.choices?.[0].message.content === '[KEYWORD_1]'
      },
      1_000,
    )
    expect(redacted).toBe(true)
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
