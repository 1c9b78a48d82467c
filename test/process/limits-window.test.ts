import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isSoak } from '../harness/run/soak.js'
import { withinAMinute } from '../harness/run/wait.js'
import { startTestService } from '../harness/service/service.js'

/** A caller with a limit, and how many of 200 calls by 50 at once it gets through. */
async function startLimited() {
  const service = await startTestService()
  const { body } = await service.api.post('/v1/keys', { name: 'limited', rpmLimit: 60 })
  const api = service.as(body.key)
  const call = () =>
    api.post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })
  const burst = async () => {
    let left = 200
    const statuses: number[] = []
    const callers = Array.from({ length: 50 }, async () => {
      while (left-- > 0) statuses.push((await call()).status)
    })
    await Promise.all(callers)
    return statuses.filter((status) => status === 200).length
  }

  return { service, call, burst }
}

// In real time, which takes a whole window. How the window moves is tested with a clock that the tests move, for both stores, in
// packages/service/src/limits; here it is the whole service.
if (isSoak) {
  test('60 a minute are exactly 60 in this window, none before the oldest has left it, and exactly 60 in the next', async () => {
    const { service, call, burst } = await startLimited()

    const startedMs = performance.now()
    expect(await burst()).toBe(60)
    const burstMs = performance.now() - startedMs

    await pause(58_000 - burstMs)
    const early = await call()
    expect(early.status).toBe(429)
    expect(early.body.error.retry_after).toBeLessThanOrEqual(Math.ceil(2 + burstMs / 1_000))
    await pause(early.body.error.retry_after * 1_000)
    expect((await call()).status).toBe(200)

    await pause(60_100 + burstMs - (performance.now() - startedMs))
    expect(await burst()).toBe(59)
    await service.stop()
  })
} else {
  test('60 a minute are exactly 60 of 200 at once, and the next is told how long the oldest will stay', async () => {
    const { passed, refused } = await withinAMinute(async () => {
      const { service, call, burst } = await startLimited()
      const outcome = { passed: await burst(), refused: await call() }
      await service.stop()
      return outcome
    })
    expect(passed).toBe(60)
    expect(refused.status).toBe(429)
    expect(refused.body.error.retry_after).toBeGreaterThan(0)
    expect(refused.body.error.retry_after).toBeLessThanOrEqual(60)
  })
}
