import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { waitFor } from '../test/harness/wait.js'
import { withDeadline } from './deadline.js'

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
