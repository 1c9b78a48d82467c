import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest'
import { asPage, signInWith } from '../harness/browser/browser-session.js'
import { hasRedis } from '../harness/processes/redis.js'
import { type Replicas, startReplicas } from '../harness/processes/replicas.js'
import { readEvents } from '../harness/providers/event-stream.js'
import { aSecondMs, waitFor } from '../harness/run/wait.js'
import type { TestService } from '../harness/service/service.js'

// What ends a session on one replica ends it on another, with the streams that it has open there.
const test = anyTest.skipIf(!hasRedis)

let replicas: Replicas | undefined
let one: TestService
let other: TestService

beforeAll(async () => {
  if (!hasRedis) return
  const started = await startReplicas({}, {})
  replicas = started
  one = started.one
  other = started.other
})
afterAll(() => replicas?.stop())

let made = 0

/** Signed in on the one, at work on the other. */
async function makeSession() {
  const userId = `person ${++made}`
  await one.api.post('/v1/team/members', { userId, role: 'manager' })
  const { id: keyId, key } = (await one.api.post('/v1/keys', { name: userId, userId, role: 'manager' })).body
  const { cookie, signIn } = await signInWith(one.address, key)
  const there = asPage(other.address, cookie)
  expect((await there.get('/v1/session')).status).toBe(200)
  const stream = await readEvents(other.address, null, { headers: { cookie } })
  await stream.until('hello')
  return { userId, keyId, cookie, sessionId: signIn.body.sessionId, there, stream }
}
type Made = Awaited<ReturnType<typeof makeSession>>

describe('a session that is in use on another replica ends there within a second when', () => {
  const ends: [string, (made: Made) => Promise<{ status: number }>][] = [
    ['its key is revoked', ({ keyId }) => one.api.delete(`/v1/keys/${keyId}`)],
    [
      'its user is suspended',
      ({ userId }) => one.api.patch(`/v1/user-limits/${encodeURIComponent(userId)}`, { status: 'suspended' }),
    ],
    [
      'its user is demoted',
      ({ userId }) =>
        one.api.patch(`/v1/team/members/${encodeURIComponent(userId)}/role`, { role: 'auditor' }),
    ],
    ['the person signs out', ({ cookie }) => asPage(one.address, cookie).delete('/v1/session')],
    ['the person signs out everywhere', ({ cookie }) => asPage(one.address, cookie).delete('/v1/sessions')],
  ]

  test.each(ends)('%s', async (_, end) => {
    const session = await makeSession()
    expect((await end(session)).status).toBeLessThan(300)
    const isOver = async () => (await session.there.get('/v1/session')).status === 401
    await waitFor('the end of the session', isOver, aSecondMs)
    await waitFor('the end of the stream', () => session.stream.of('error').length > 0, aSecondMs)
    expect(session.stream.of('error')).toMatchObject([{ reason: 'unauthorized', reconnect: false }])
    await session.stream.ended
  })
})
