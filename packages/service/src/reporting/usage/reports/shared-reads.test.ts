import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SharedReads } from './shared-reads.js'

/** Counts reads; each begins and ends when the test says so. */
function start() {
  const reads = new SharedReads<number>()
  const begins: (() => void)[] = []
  const ends: ((error?: Error) => void)[] = []
  const ask = (question = 'usage') =>
    reads.join(question, (begin) => {
      const number = begins.push(begin)
      return new Promise<number>((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve(number)))
      })
    })
  return { ask, begins, ends }
}

test('requests that ask the same before it is read share one report', async () => {
  const { ask, begins, ends } = start()
  const answers = [ask(), ask()]
  await nextTurn()
  begins[0]?.()
  ends[0]?.()
  expect(await Promise.all(answers)).toEqual([1, 1])
  expect(begins).toHaveLength(1)
})

test('those that arrive while it is being read share the next, which begins when it has ended', async () => {
  const { ask, begins, ends } = start()
  const first = ask()
  await nextTurn()
  begins[0]?.()
  const others = [ask(), ask()]
  await nextTurn()
  expect(begins).toHaveLength(1)
  ends[0]?.(new Error('too slow'))
  await expect(first).rejects.toThrow('too slow')
  await nextTurn()
  begins[1]?.()
  ends[1]?.()
  expect(await Promise.all(others)).toEqual([2, 2])
})

test('other questions are answered by themselves, and so is the same one later', async () => {
  const { ask, ends } = start()
  const answers = [ask(), ask('latency')]
  await nextTurn()
  for (const end of ends) end()
  expect(await Promise.all(answers)).toEqual([1, 2])
  const later = ask()
  await nextTurn()
  ends[2]?.()
  expect(await later).toBe(3)
})
