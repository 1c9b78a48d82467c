import { expect, test } from 'vitest'
import { createSharedWork } from './shared-work.js'

/** Work that ends when the test says so, and knows whether it was told to stop. */
function makeWork() {
  const begun: { signal: AbortSignal; end(result: string): void; fail(error: Error): void }[] = []
  const start = (signal: AbortSignal) =>
    new Promise<string>((end, fail) => {
      begun.push({ signal, end, fail })
    })
  return { begun, start }
}

const staying = new AbortController().signal

test('callers who ask for the same share the work, and others do not', async () => {
  const shared = createSharedWork<string>()
  const { begun, start } = makeWork()
  const [first, second, other] = [
    shared.join('a', staying, start),
    shared.join('a', staying, start),
    shared.join('b', staying, start),
  ]
  expect(begun).toHaveLength(2)
  begun[0]?.end('of a')
  begun[1]?.end('of b')
  expect(await Promise.all([first, second, other])).toEqual(['of a', 'of a', 'of b'])
})

test('what is finished is not shared any more, and neither is what failed', async () => {
  const shared = createSharedWork<string>()
  const { begun, start } = makeWork()
  const first = shared.join('a', staying, start)
  begun[0]?.end('one')
  await first
  const second = shared.join('a', staying, start)
  begun[1]?.fail(new Error('broken'))
  await expect(second).rejects.toThrow('broken')
  const third = shared.join('a', staying, start)
  begun[2]?.end('three')
  expect(await third).toBe('three')
})

test('a caller that leaves is let go at once, and the work goes on for the one that stays', async () => {
  const shared = createSharedWork<string>()
  const { begun, start } = makeWork()
  const leaving = new AbortController()
  const left = shared.join('a', leaving.signal, start)
  const stayed = shared.join('a', staying, start)
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  expect(begun[0]?.signal.aborted).toBe(false)
  begun[0]?.end('done')
  expect(await stayed).toBe('done')
})

test('when the last caller leaves the work is stopped, and the next caller begins anew', async () => {
  const shared = createSharedWork<string>()
  const { begun, start } = makeWork()
  const leaving = new AbortController()
  const left = [shared.join('a', leaving.signal, start), shared.join('a', leaving.signal, start)]
  leaving.abort()
  await Promise.allSettled(left)
  expect(begun[0]?.signal.aborted).toBe(true)
  const next = shared.join('a', staying, start)
  expect(begun).toHaveLength(2)
  // The old work ends late, and must not be taken for the new one.
  begun[0]?.fail(new Error('stopped'))
  begun[1]?.end('anew')
  expect(await next).toBe('anew')
})
