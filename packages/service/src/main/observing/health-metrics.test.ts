import { expect, test } from 'vitest'
import { createProbe } from './health-metrics.js'

test('what answers is up, and what fails, is overdue or has not answered recently is down', async () => {
  let nowMs = 0
  let answer = { resolve: () => {}, reject: (_: Error) => {} }
  const probe = createProbe(
    () =>
      new Promise<void>((resolve, reject) => {
        answer = { resolve, reject }
      }),
    () => nowMs,
  )
  const state = () => [probe.up(), probe.seconds()]
  expect(state()).toEqual([0, null])

  let asking = probe.ask()
  expect(state()).toEqual([0, null])
  nowMs += 20
  answer.resolve()
  await asking
  expect(state()).toEqual([1, 0.02])

  asking = probe.ask()
  nowMs += 5_000
  expect(state()).toEqual([1, 0.02])
  nowMs += 1
  expect(state()).toEqual([0, 0.02])
  answer.resolve()
  await asking
  expect(state()).toEqual([0, 5.001])

  asking = probe.ask()
  answer.resolve()
  await asking
  expect(state()).toEqual([1, 0])
  nowMs += 60_001
  expect(state()).toEqual([0, null])
  asking = probe.ask()
  answer.reject(new Error('refused'))
  await asking
  expect(probe.up()).toBe(0)
})
