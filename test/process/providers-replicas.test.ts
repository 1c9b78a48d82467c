import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Replicas, startReplicas } from '../harness/processes/replicas.js'
import { sendJson, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { createEndpoint, deliveriesOf } from '../harness/reporting/webhooks.js'
import { aSecondMs, waitFor } from '../harness/run/wait.js'
import type { TestService } from '../harness/service/service.js'

let replicas: Replicas & { one: TestService; other: TestService }
let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream(({ headers }, response) =>
    headers.authorization === 'Bearer sk-refused-key'
      ? sendJson(response, 401, {})
      : sendJson(response, 200, {
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 },
        }),
  )
  replicas = await startReplicas({}, {})
})
afterAll(async () => {
  await replicas.stop()
  await upstream.close()
})

const call = (service: TestService, model: string) =>
  service.api.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })
const statusOf = async (service: TestService, model: string) => (await call(service, model)).status
const fields = (name: string, value: string) => ({
  ...{ name, type: 'openai', baseUrl: `${upstream.url}/v1`, pricesOf: 'openai' },
  credentials: [{ name: 'first', value }],
})

test('a provider, a credential, a price and a route that one replica changes act on the other within a second', async () => {
  const { one, other } = replicas
  const model = 'both/gpt-4o-mini'
  expect(await statusOf(other, model)).toBe(404)
  const { body: provider } = await one.api.post('/v1/providers', fields('both', 'sk-first-key'))
  await waitFor('the provider', async () => (await statusOf(other, model)) === 200, aSecondMs)

  await one.api.post(`/v1/providers/${provider.id}/credentials`, { name: 'second', value: 'sk-second-key' })
  await one.api.delete(`/v1/providers/${provider.id}/credentials/${provider.credentials[0].id}`)
  await waitFor(
    'the credential',
    async () => {
      await call(other, model)
      return upstream.seen.at(-1)?.headers.authorization === 'Bearer sk-second-key'
    },
    aSecondMs,
  )

  const oneDollar = { price: { inputUsdPerMTok: 500, outputUsdPerMTok: 500 } }
  await one.api.put('/v1/catalogue/both/gpt-4o-mini', oneDollar)
  await waitFor(
    'the price',
    async () => (await call(other, model)).headers.get('x-tallystick-cost-usd') === '1',
    aSecondMs,
  )

  const { body: route } = await one.api.post('/v1/routes', { name: 'routed', targets: [{ model }] })
  await waitFor('the route', async () => (await statusOf(other, 'routed')) === 200, aSecondMs)
  await one.api.delete(`/v1/routes/${route.id}`)
  await waitFor('no route', async () => (await statusOf(other, 'routed')) === 404, aSecondMs)
  await one.api.delete(`/v1/providers/${provider.id}`)
  await waitFor('no provider', async () => (await statusOf(other, model)) === 404, aSecondMs)
})

test('a credential that both replicas find refused is told of once', async () => {
  const { one, other } = replicas
  const endpoint = await createEndpoint(one.api, {
    url: `${upstream.url}/hook`,
    events: ['provider.failing'],
  })
  const { body: provider } = await one.api.post('/v1/providers', fields('refused', 'sk-refused-key'))
  const model = 'refused/gpt-4o-mini'
  await waitFor('the provider', async () => (await statusOf(other, model)) !== 404, aSecondMs)
  await Promise.all([one, other, one, other].map((service) => call(service, model)))
  for (const service of [one, other])
    await waitFor(
      'the rest',
      async () =>
        (await service.api.get(`/v1/providers/${provider.id}`)).body.credentials[0].status === 'resting',
    )
  // The second telling, had there been one, would have come before this one's.
  await one.api.post(`/v1/providers/${provider.id}/credentials`, { name: 'more', value: 'sk-refused-key' })
  await waitFor('another refusal', async () => {
    await call(other, model)
    return (await deliveriesOf(one.api, endpoint.id)).length >= 2
  })
  const told = (await deliveriesOf(one.api, endpoint.id)).map(
    ({ data }: { data: { credential_id: string } }) => data.credential_id,
  )
  expect(new Set(told).size).toBe(told.length)
  expect((await other.api.get('/v1/attention')).body.credentials).toEqual(
    expect.arrayContaining([expect.objectContaining({ providerId: provider.id, state: 'refused' })]),
  )
})
