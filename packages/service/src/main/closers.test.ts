import { expect, test } from 'vitest'
import { createClosers } from './closers.js'

test('parts are closed one after the other, the last one first', async () => {
  const closed: string[] = []
  const closers = createClosers()
  const part = (name: string) => ({
    async close() {
      closed.push(`${name} closes`)
      await new Promise(setImmediate)
      closed.push(`${name} is closed`)
    },
  })
  closers.add(part('database'))
  closers.add(part('server'))
  await closers.close()
  expect(closed).toEqual(['server closes', 'server is closed', 'database closes', 'database is closed'])
})

test('a part that cannot be closed keeps no other open, and is reported', async () => {
  const closed: string[] = []
  const closers = createClosers()
  closers.add({ close: () => closed.push('first') })
  closers.add({ close: () => Promise.reject(new Error('stuck')) })
  closers.add({ close: () => closed.push('last') })
  await expect(closers.close()).rejects.toThrow('stuck')
  expect(closed).toEqual(['last', 'first'])
})

test('each part is closed once', async () => {
  let times = 0
  const closers = createClosers()
  closers.add({ close: () => times++ })
  await closers.close()
  await closers.close()
  expect(times).toBe(1)
})
