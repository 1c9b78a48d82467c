import { expect, test } from 'vitest'
import { createTokenCache } from './token-cache.js'

function cacheOf(lifeMs = 3_600_000) {
  const clock = { nowMs: 0 }
  const fetches: { answer(): void; fail(): void }[] = []
  const cache = createTokenCache(() => clock.nowMs)
  const fetch = () =>
    new Promise<{ value: string; expiresAtMs: number }>((resolve, reject) => {
      const number = fetches.length + 1
      fetches.push({
        answer: () => resolve({ value: `t${number}`, expiresAtMs: clock.nowMs + lifeMs }),
        fail: () => reject(new Error('away')),
      })
    })
  return { clock, fetches, get: (key = 'k') => cache.get(key, fetch), forget: () => cache.forget('k') }
}

test('many who ask at once cause one fetch, and later ones none', async () => {
  const { fetches, get } = cacheOf()
  const asked = Array.from({ length: 50 }, () => get())
  expect(fetches).toHaveLength(1)
  fetches[0]?.answer()
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['t1']))
  expect(await get()).toBe('t1')
  expect(fetches).toHaveLength(1)
})

test('a token is refreshed before it ends, while calls go out with the old one', async () => {
  const { clock, fetches, get } = cacheOf()
  const first = get()
  fetches[0]?.answer()
  await first
  clock.nowMs = 3_600_000 - 5 * 60_000
  expect(await get()).toBe('t1')
  expect(await get()).toBe('t1')
  expect(fetches).toHaveLength(2)
  fetches[1]?.answer()
  await new Promise(setImmediate)
  expect(await get()).toBe('t2')
})

test('a refresh that fails costs no call while the token is good, and is tried again', async () => {
  const { clock, fetches, get } = cacheOf()
  const first = get()
  fetches[0]?.answer()
  await first
  clock.nowMs = 3_600_000 - 60_000
  expect(await get()).toBe('t1')
  fetches[1]?.fail()
  await new Promise(setImmediate)
  expect(await get()).toBe('t1')
  expect(fetches).toHaveLength(2)
  clock.nowMs += 5_000
  expect(await get()).toBe('t1')
  expect(fetches).toHaveLength(3)
})

test('a token that has ended is not used, and a failure is told to all who wait', async () => {
  const { clock, fetches, get } = cacheOf()
  const first = get()
  fetches[0]?.answer()
  await first
  clock.nowMs = 3_600_000
  const waiting = Promise.allSettled([get(), get()])
  fetches[1]?.fail()
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const again = get()
  fetches[2]?.answer()
  expect(await again).toBe('t3')
})

test('each credential has its own', async () => {
  const { fetches, get } = cacheOf()
  const both = [get('a'), get('b')]
  for (const { answer } of fetches) answer()
  expect(await Promise.all(both)).toEqual(['t1', 't2'])
})

test('a token that was refused is fetched again, but not for each refusal', async () => {
  const { clock, fetches, get, forget } = cacheOf()
  expect(forget()).toBe(false)
  const first = get()
  fetches[0]?.answer()
  expect(await first).toBe('t1')
  expect(forget()).toBe(false)
  clock.nowMs = 60_000
  expect([forget(), forget()]).toEqual([true, true])
  const second = get()
  fetches[1]?.answer()
  expect(await second).toBe('t2')
  expect(forget()).toBe(false)
  expect(fetches).toHaveLength(2)
})
