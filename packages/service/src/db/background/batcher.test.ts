import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBatcher } from './batcher.js'

/** Writes that end when the test says so. */
function createDisk() {
  const groups: number[][] = []
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  return {
    groups,
    write(group: number[]) {
      groups.push([...group])
      return new Promise<void>((resolve, reject) => ends.push({ resolve, reject }))
    },
    /** Ends the write under way, and lets the next one begin. */
    async end(error?: Error) {
      const last = ends.pop()
      if (error) last?.reject(error)
      else last?.resolve()
      await nextTurn()
      await nextTurn()
    },
    underWay: () => ends.length,
  }
}

describe('groups', () => {
  test('what is added in one turn of the event loop is one group', async () => {
    const disk = createDisk()
    const batcher = createBatcher<number>(disk)
    for (const item of [1, 2, 3]) batcher.add(item)
    expect(disk.groups).toEqual([])
    await nextTurn()
    expect(disk.groups).toEqual([[1, 2, 3]])
  })

  test('while one is written the next gathers, and two are never written at once', async () => {
    const disk = createDisk()
    const batcher = createBatcher<number>(disk)
    batcher.add(1)
    await nextTurn()
    batcher.add(2)
    await nextTurn()
    batcher.add(3)
    await nextTurn()
    expect(disk.groups).toEqual([[1]])
    expect(disk.underWay()).toBe(1)
    await disk.end()
    expect(disk.groups).toEqual([[1], [2, 3]])
    expect(disk.underWay()).toBe(1)
  })

  test('have at most as many items as they may', async () => {
    const disk = createDisk()
    const batcher = createBatcher<number>({ write: disk.write, maxGroupSize: 2 })
    for (const item of [1, 2, 3, 4, 5]) batcher.add(item)
    for (let i = 0; i < 4; i++) await disk.end()
    expect(disk.groups).toEqual([[1, 2], [3, 4], [5]])
  })

  test('gather for a while after a write, where that is wished for', async () => {
    const disk = createDisk()
    const waits: { ms: number; over(): void }[] = []
    const wait = (ms: number) => new Promise<void>((over) => waits.push({ ms, over }))
    const batcher = createBatcher<number>({ write: disk.write, gatherMs: 10, wait })
    batcher.add(1)
    await nextTurn()
    await disk.end()
    batcher.add(2)
    await nextTurn()
    batcher.add(3)
    await nextTurn()
    expect(disk.groups).toEqual([[1]])
    expect(waits.map(({ ms }) => ms)).toEqual([10])
    waits[0]?.over()
    await nextTurn()
    await nextTurn()
    expect(disk.groups).toEqual([[1], [2, 3]])
  })
})

describe('closing', () => {
  test('waits for the write under way and for what has gathered', async () => {
    const disk = createDisk()
    const batcher = createBatcher<number>(disk)
    batcher.add(1)
    await nextTurn()
    batcher.add(2)
    let closed = false
    const closing = batcher.close().then(() => {
      closed = true
    })
    await disk.end()
    expect(disk.groups).toEqual([[1], [2]])
    expect(closed).toBe(false)
    await disk.end()
    await closing
  })

  test('ends a wait that is under way', async () => {
    const disk = createDisk()
    const batcher = createBatcher<number>({ write: disk.write, gatherMs: 86_400_000 })
    batcher.add(1)
    await nextTurn()
    await disk.end()
    await batcher.close()
  })

  test('does not refuse what comes later', async () => {
    const disk = createDisk()
    const batcher = createBatcher<number>(disk)
    await batcher.close()
    batcher.add(1)
    await nextTurn()
    expect(disk.groups).toEqual([[1]])
  })
})

describe('a write that fails', () => {
  const errors: unknown[] = []
  const retry = { afterMs: 500, onError: (error: unknown) => void errors.push(error) }

  test('is reported, and repeated with what has gathered since, in the same order', async () => {
    const disk = createDisk()
    const waits: number[] = []
    const batcher = createBatcher<number>({
      write: disk.write,
      retry,
      wait: async (ms) => void waits.push(ms),
    })
    batcher.add(1)
    batcher.add(2)
    await nextTurn()
    batcher.add(3)
    await disk.end(new Error('full'))
    expect(disk.groups).toEqual([
      [1, 2],
      [1, 2, 3],
    ])
    expect(waits).toEqual([500])
    expect(String(errors[0])).toContain('full')
  })

  test('is given up once the batcher is closing', async () => {
    const disk = createDisk()
    const batcher = createBatcher<number>({ write: disk.write, retry })
    batcher.add(1)
    await nextTurn()
    batcher.add(2)
    const closing = batcher.close()
    await disk.end(new Error('gone'))
    await closing
    expect(disk.groups).toEqual([[1]])
  })
})

test('whatever is added when, and whichever writes fail, each item is written once and in order', async () => {
  const steps = fc.array(fc.oneof(fc.constant('add'), fc.constant('turn'), fc.constant('fail')), {
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 5 }), async (script, maxGroupSize) => {
      const written: number[] = []
      let added = 0
      let failures = 0
      const batcher = createBatcher<number>({
        async write(group) {
          expect(group.length).toBeLessThanOrEqual(maxGroupSize)
          await nextTurn()
          if (failures > 0) {
            failures--
            throw new Error('not now')
          }
          written.push(...group)
        },
        maxGroupSize,
        retry: { afterMs: 1, onError: () => undefined },
        wait: () => nextTurn(),
      })
      for (const step of script) {
        if (step === 'add') batcher.add(added++)
        else if (step === 'turn') await nextTurn()
        else failures++
      }
      while (failures > 0 && written.length < added) await nextTurn()
      await batcher.close()
      expect(written).toEqual(Array.from({ length: added }, (_, i) => i))
    }),
  )
})
