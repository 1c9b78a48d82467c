import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { blockThread } from '../../../../test/harness/run/block-thread.js'
import { waitFor } from '../../../../test/harness/run/wait.js'
import { createWorkTimer, startTimer, withDeadline, within } from './deadline.js'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('fires also when nothing but its listener is left of it', async () => {
  const never = new AbortController()
  const reasons: string[] = []
  const listen = () => {
    const signal = withDeadline(never.signal, 300)
    signal.addEventListener('abort', () => reasons.push(signal.reason.name))
  }
  for (let i = 0; i < 20; i++) listen()
  await new Promise((resolve) => setTimeout(resolve, 20))
  collectGarbage()
  collectGarbage()
  await waitFor('all of them', () => reasons.length === 20)
  expect(new Set(reasons)).toEqual(new Set(['TimeoutError']))
})

test('is aborted with the signal that it was made of', () => {
  const stopping = new AbortController()
  const signal = withDeadline(stopping.signal, 60_000)
  stopping.abort(new Error('stopped'))
  expect(signal.reason).toEqual(new Error('stopped'))
})

const never = new Promise<never>(() => undefined)
const tooLate = () => new Error('too late')

test('what takes too long is given up', async () => {
  await expect(within(20, never, tooLate)).rejects.toThrow('too late')
  expect(await within(60_000, Promise.resolve('in time'), tooLate)).toBe('in time')
  await expect(within(60_000, Promise.reject(new Error('failed')), tooLate)).rejects.toThrow('failed')
})

test('time is not over before it is', async () => {
  const startedMs = performance.now()
  await expect(within(2_300, never, tooLate)).rejects.toThrow('too late')
  // Timers of Node may be a millisecond early.
  expect(performance.now() - startedMs).toBeGreaterThan(2_290)
})

test('a pause of the process counts as a second at most, wherever in the time it is', async () => {
  const answer = (afterMs: number) =>
    new Promise<string>((resolve) => setTimeout(() => resolve('an answer'), afterMs))
  const waiting = within(2_500, answer(3_500), tooLate)
  blockThread(3_000)
  expect(await waiting).toBe('an answer')
  // In its only step.
  const short = within(200, answer(700), tooLate)
  blockThread(600)
  expect(await short).toBe('an answer')
})

test('a process that is paused again and again gives up all the same', async () => {
  let isOver = false
  startTimer(300, () => {
    isOver = true
  })
  let pauses = 0
  for (; !isOver && pauses < 10; pauses++) {
    blockThread(600)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await waitFor('the end', () => isOver)
  expect(pauses).toBeLessThan(10)
})

test('a timer that is stopped does nothing', async () => {
  const fired: number[] = []
  startTimer(10, () => fired.push(1)).stop()
  const other = startTimer(10, () => fired.push(2))
  blockThread(30)
  // Its time is over, and its last look is still to come.
  await new Promise((resolve) => setTimeout(resolve, 0))
  other.stop()
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(fired).not.toContain(1)
})

test('work that is done again and again is limited each time', async () => {
  let over = 0
  const timer = createWorkTimer(300, () => over++)
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  for (let i = 0; i < 8; i++) await timer.limit(pause(100))
  // Nothing is under way, so nothing is over.
  await pause(700)
  expect(over).toBe(0)
  const startedMs = performance.now()
  void timer.limit(never)
  await waitFor('the end', () => over > 0)
  expect(performance.now() - startedMs).toBeGreaterThan(290)
})

test('a pause of the process counts as a second at most for work that is done again and again', async () => {
  let isOver = false
  const timer = createWorkTimer(2_500, () => {
    isOver = true
  })
  const work = timer.limit(new Promise((resolve) => setTimeout(resolve, 3_500)))
  blockThread(3_000)
  await work
  expect(isOver).toBe(false)
})
