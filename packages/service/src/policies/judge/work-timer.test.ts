import { performance } from 'node:perf_hooks'
import { afterEach, expect, test, vi } from 'vitest'
import { WorkTimer } from './work-timer.js'

afterEach(() => vi.restoreAllMocks())

/** A timer with an account of its own, whose clock moves only when it is told to. */
function start() {
  let nowMs = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const timer = new WorkTimer(async () => undefined)
  timer.chargeTo({ usedMs: 0 })
  return {
    stepOf(ms: number) {
      nowMs += ms
      return timer.shouldYield()
    },
  }
}

test('a process that stood still does not use up the time of a policy', () => {
  const { stepOf } = start()
  for (let i = 0; i < 4; i++) expect(stepOf(60_000)).toBe(true)
})

test('steps that together take too long do', () => {
  const { stepOf } = start()
  for (let i = 0; i < 100; i++) stepOf(100)
  expect(() => stepOf(1)).toThrow('the text takes too long to be judged')
})
