import { expect, test } from 'vitest'
import { createSharedWork } from './shared-work.js'

/** Work that ends when the test ends it, and whose signal the test can see. */
function makeWork() {
  const started: { signal: AbortSignal; end(result: string): void; fail(error: Error): void }[] = []
  const start = (signal: AbortSignal) =>
    new Promise<string>((end, fail) => {
      started.push({ signal, end, fail })
    })
  return { started, start }
}

const never = new AbortController().signal

test('callers that ask for the same share the work, and others do not', async () => {
  const shared = createSharedWork<string>()
  const { started, start } = makeWork()
  const [first, second, other] = [
    shared.join('a', never, start),
    shared.join('a', never, start),
    shared.join('b', never, start),
  ]
  expect(started).toHaveLength(2)
  started[0]?.end('of a')
  started[1]?.end('of b')
  expect(await Promise.all([first, second, other])).toEqual(['of a', 'of a', 'of b'])
})

test('finished work is not shared any more, and neither is failed work', async () => {
  const shared = createSharedWork<string>()
  const { started, start } = makeWork()
  const first = shared.join('a', never, start)
  started[0]?.end('one')
  await first
  const second = shared.join('a', never, start)
  started[1]?.fail(new Error('broken'))
  await expect(second).rejects.toThrow('broken')
  const third = shared.join('a', never, start)
  started[2]?.end('three')
  expect(await third).toBe('three')
})

test('a caller that leaves is released at once, and the work continues for the one that stays', async () => {
  const shared = createSharedWork<string>()
  const { started, start } = makeWork()
  const leaving = new AbortController()
  const left = shared.join('a', leaving.signal, start)
  const stayed = shared.join('a', never, start)
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  expect(started[0]?.signal.aborted).toBe(false)
  started[0]?.end('done')
  expect(await stayed).toBe('done')
})

test('when the last caller leaves the work is stopped, and the next caller starts it again', async () => {
  const shared = createSharedWork<string>()
  const { started, start } = makeWork()
  const leaving = new AbortController()
  const left = [shared.join('a', leaving.signal, start), shared.join('a', leaving.signal, start)]
  leaving.abort()
  await Promise.allSettled(left)
  expect(started[0]?.signal.aborted).toBe(true)
  const next = shared.join('a', never, start)
  expect(started).toHaveLength(2)
  // The old work ends late, and must not be mistaken for the new one.
  started[0]?.fail(new Error('stopped'))
  started[1]?.end('again')
  expect(await next).toBe('again')
})
