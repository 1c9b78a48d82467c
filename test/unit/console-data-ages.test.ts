import createClient from 'openapi-fetch'
import { expect, test } from 'vitest'
import {
  dataAgeMiddleware,
  readDataAges,
  subscribeToDataAges,
} from '../../packages/console/src/api/data-ages.js'

const date = 'Thu, 19 Nov 2026 14:02:19 GMT'

/** Makes a request whose response has these headers. */
async function answer(path: string, headers: Record<string, string>, status = 200): Promise<void> {
  const client = createClient<Record<string, { get: { responses: { 200: object } } }>>({
    baseUrl: 'http://127.0.0.1',
    fetch: async () =>
      new Response('{}', { status, headers: { 'content-type': 'application/json', ...headers } }),
  })
  client.use(dataAgeMiddleware)
  await client.request('get', path as never)
}

const ageOf = (path: string) => readDataAges().get(path)?.ageMs

test('data of a replica that is behind have an age, by the clock of the service, until newer ones arrive', async () => {
  let changes = 0
  const unsubscribe = subscribeToDataAges(() => changes++)
  await answer('/v1/usage', { date, 'x-tallystick-data-as-of': '2026-11-19T14:02:11.000Z' })
  expect(ageOf('/v1/usage')).toBe(8_000)
  expect(readDataAges().get('/v1/usage')?.asOf).toEqual(new Date('2026-11-19T14:02:11.000Z'))
  // A response that failed says nothing about the data that are shown.
  await answer('/v1/usage', { date }, 503)
  expect(ageOf('/v1/usage')).toBe(8_000)
  await answer('/v1/usage', { date, 'x-tallystick-data-as-of': '2026-11-19T14:02:18.700Z' })
  expect(ageOf('/v1/usage')).toBeUndefined()
  expect(changes).toBe(2)
  unsubscribe()
})

test('data of the primary have none', async () => {
  await answer('/v1/calls', { date, 'x-tallystick-data-as-of': '2026-11-19T14:01:00.000Z' })
  await answer('/v1/calls', { date })
  expect(ageOf('/v1/calls')).toBeUndefined()
})
