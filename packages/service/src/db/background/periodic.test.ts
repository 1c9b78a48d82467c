import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type PeriodicOptions, startPeriodic } from './periodic.js'

/** A loop whose waits and runs end when the test says so. */
function start(options: Partial<PeriodicOptions> = {}) {
  const events: string[] = []
  let endWait = () => {}
  let endRun: { resolve(): void; reject(error: Error): void } = { resolve() {}, reject() {} }
  const loop = startPeriodic({
    everyMs: 100,
    run() {
      events.push('run')
      return new Promise<void>((resolve, reject) => {
        endRun = { resolve, reject }
      })
    },
    wait(ms, signal) {
      events.push(`wait ${ms}`)
      return new Promise<void>((resolve) => {
        endWait = resolve
        signal.addEventListener('abort', () => resolve())
      })
    },
    onError: (error) => void events.push(String(error)),
    ...options,
  })
  const after = (step: () => void) => async () => {
    step()
    await nextTurn()
  }
  return {
    events,
    loop,
    endWait: after(() => endWait()),
    endRun: after(() => endRun.resolve()),
    failRun: after(() => endRun.reject(new Error('failed'))),
  }
}

describe('runs', () => {
  test('come one after the other, with a wait before each', async () => {
    const { events, endWait, endRun } = start()
    await endWait()
    await endRun()
    await endWait()
    expect(events).toEqual(['wait 100', 'run', 'wait 100', 'run'])
  })

  test('begin at once where that is wished for', async () => {
    const { events, endRun } = start({ startsAtOnce: true })
    expect(events).toEqual(['run'])
    await endRun()
    expect(events).toEqual(['run', 'wait 100'])
  })

  test('wait for as long as is said after each', async () => {
    let ms = 1
    const { events, endRun, endWait } = start({ startsAtOnce: true, everyMs: () => ms++ })
    await endRun()
    await endWait()
    await endRun()
    expect(events).toEqual(['run', 'wait 1', 'run', 'wait 2'])
  })

  test('that fail are reported and followed by the next', async () => {
    const { events, endWait, failRun } = start({ startsAtOnce: true })
    await failRun()
    await endWait()
    expect(events).toEqual(['run', 'Error: failed', 'wait 100', 'run'])
  })
})

describe('waking', () => {
  test('ends a wait', async () => {
    const { events, loop } = start()
    loop.wake()
    await nextTurn()
    expect(events).toEqual(['wait 100', 'run'])
  })

  test('during a run lets the next follow without a wait, once', async () => {
    const { events, loop, endRun } = start({ startsAtOnce: true })
    loop.wake()
    loop.wake()
    await nextTurn()
    expect(events).toEqual(['run'])
    await endRun()
    expect(events).toEqual(['run', 'run'])
    await endRun()
    expect(events).toEqual(['run', 'run', 'wait 100'])
  })
})

describe('an idle loop', () => {
  test('neither runs nor waits, and runs after a wait once there is something to do', async () => {
    let isIdle = true
    const { events, loop, endWait, endRun } = start({ isIdle: () => isIdle })
    loop.resume()
    await nextTurn()
    expect(events).toEqual([])
    isIdle = false
    loop.resume()
    await nextTurn()
    expect(events).toEqual(['wait 100'])
    await endWait()
    isIdle = true
    await endRun()
    expect(events).toEqual(['wait 100', 'run'])
  })

  test('does not run when it is woken or closed', async () => {
    const { events, loop } = start({ isIdle: () => true, startsAtOnce: true, endsWithRun: true })
    loop.wake()
    await nextTurn()
    await loop.close()
    expect(events).toEqual([])
  })
})

describe('closing', () => {
  test('ends a wait, and no run follows', async () => {
    const { events, loop } = start()
    await loop.close()
    expect(events).toEqual(['wait 100'])
  })

  test('waits for the run under way', async () => {
    const { loop, endRun } = start({ startsAtOnce: true })
    let closed = false
    const closing = loop.close().then(() => {
      closed = true
    })
    await nextTurn()
    expect(closed).toBe(false)
    await endRun()
    await closing
  })

  test('runs a last time where that is wished for, after the run under way', async () => {
    const { events, loop, failRun } = start({ startsAtOnce: true, endsWithRun: true })
    const closing = loop.close()
    await nextTurn()
    expect(events).toEqual(['run'])
    await failRun()
    await failRun()
    await closing
    expect(events).toEqual(['run', 'Error: failed', 'run', 'Error: failed'])
  })

  test('ends a real wait as well', async () => {
    const loop = startPeriodic({ run: async () => undefined, everyMs: 86_400_000, onError: () => undefined })
    await loop.close()
  })
})
