import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../../packages/sdk/src/index.js'
import { type SeenRequest, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import {
  createEndpoint,
  deliveriesOf,
  makeViolations,
  nthSeen,
  waitForDelivery,
} from '../../harness/reporting/webhooks.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'
import { makeGate } from '../../harness/service/gateway.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let service: TestService
let api: Api
let receiver: Upstream
let violate: () => Promise<void>
let violatingKeyId: string
const stripe = new Stripe('sk_test_unused')

const answer = (status: number) =>
  receiver.answerWith((_, response) => void response.writeHead(status).end('a word of the receiver'))

beforeAll(async () => {
  service = await startTestService()
  api = service.api
  const violations = await makeViolations(service)
  violate = violations.violate
  violatingKeyId = violations.keyId
})
afterAll(() => service.stop())
beforeEach(async () => {
  receiver = await startUpstream((_, response) => void response.writeHead(204).end())
})
afterEach(async () => {
  // No endpoint of one test hears of the next.
  for (const { id } of (await api.get('/v1/webhook-endpoints?limit=200')).body.data)
    await api.delete(`/v1/webhook-endpoints/${id}`)
  await receiver.close()
})

const create = (fields: object = {}) => createEndpoint(api, { url: receiver.url, ...fields })
const read = async (id: string) => (await api.get(`/v1/webhook-endpoints/${id}`)).body
const makeDue = (id: string) =>
  service.database
    .query(`update webhook_deliveries set due_at = now() where id = $1`, [id])
    .then(() => service.database.query(`select pg_notify('tallystick_changes', 'webhook_deliveries:test')`))

describe('an endpoint', () => {
  test('is created with a secret, which is shown this once', async () => {
    const { secret, ...endpoint } = await create({ name: 'on-call', url: 'https://hooks.example.com/x?y=1' })
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      name: 'on-call',
      url: 'https://hooks.example.com/x?y=1',
      type: 'generic',
      envelope: 'tallystick',
      events: ['policy.violation'],
      enabled: true,
      secretStatus: 'ok',
      maxAttempts: 30,
      lastDelivery: null,
      lastWeek: { delivered: 0, retrying: 0, dead: 0 },
      previousSecretUntil: null,
      createdAt: expect.any(String),
      updatedAt: endpoint.createdAt,
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await read(endpoint.id)).toEqual(endpoint)
    expect((await api.get('/v1/webhook-endpoints')).body).toEqual({ data: [endpoint], nextCursor: null })
    expect((await create()).secret).not.toBe(secret)
  })

  test('is changed field by field, and keeps the rest', async () => {
    const { secret: _, ...created } = await create()
    const changed = { name: 'Other', type: 'chat', events: ['webhook.test'], enabled: false, maxAttempts: 5 }
    for (const [name, value] of Object.entries(changed)) {
      const { status, body } = await api.patch(`/v1/webhook-endpoints/${created.id}`, { [name]: value })
      expect({ status, value: body[name] }).toEqual({ status: 200, value })
    }
    const after = await read(created.id)
    expect(after).toEqual({ ...created, ...changed, updatedAt: after.updatedAt })
    expect(after.updatedAt > created.updatedAt).toBe(true)
  })

  test('that is deleted is gone for good, and can be deleted again', async () => {
    const { id } = await create()
    for (const status of [204, 204])
      expect((await api.delete(`/v1/webhook-endpoints/${id}`)).status).toBe(status)
    for (const path of ['', '/deliveries'])
      expect((await api.get(`/v1/webhook-endpoints/${id}${path}`)).status).toBe(404)
    expect((await api.patch(`/v1/webhook-endpoints/${id}`, { name: 'x' })).status).toBe(404)
    expect((await api.post(`/v1/webhook-endpoints/${id}/test`)).status).toBe(404)
    expect((await api.post(`/v1/webhook-endpoints/${id}/rotate-secret`)).status).toBe(404)
    const [row] = await service.database.query(
      'select sealed_secret as secret from webhook_endpoints where id = $1',
      [id],
    )
    expect(row).toEqual({ secret: null })
  })

  test.each([
    { events: [] },
    { events: ['budget.everything'] },
    { events: ['webhook.test', 'webhook.test'] },
    { type: 'slack' },
    { url: '' },
    { maxAttempts: 0 },
    { maxAttempts: 101 },
    { secret: 'whsec_mine' },
  ])('with %j is refused', async (fields) => {
    const { id } = await create()
    const all = { name: 'x', url: receiver.url, type: 'generic', events: ['webhook.test'], ...fields }
    expect((await api.post('/v1/webhook-endpoints', all)).body.error.type).toBe('invalid_request')
    expect((await api.patch(`/v1/webhook-endpoints/${id}`, fields)).body.error.type).toBe('invalid_request')
  })

  test('with a URL that no rule allows is refused, and the message says which', async () => {
    const { id } = await create()
    const refused = await api.patch(`/v1/webhook-endpoints/${id}`, { url: 'https://me:pass@example.com' })
    expect(refused.body.error).toEqual({
      type: 'invalid_webhook_url',
      message: 'url: must not carry a user name or a password',
      code: 400,
    })
  })
})

describe('a test', () => {
  test('is sent at once, whatever the endpoint listens to, and told as it went', async () => {
    const { id, secret } = await create({ events: ['anomaly.usage_spike'], enabled: false })
    expect(await api.post(`/v1/webhook-endpoints/${id}/test`)).toMatchObject({
      status: 200,
      body: { delivered: true, error: null },
    })
    const seen = await nthSeen(receiver, 1)
    expect(verify(seen, secret)).toMatchObject({
      event: 'webhook.test',
      data: { message: 'This is a test of the webhook endpoint "An endpoint"' },
    })
    expect(Object.keys(seen.body.data)).toEqual(['message'])
    expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'delivered', attempts: 1, statusCode: 204 }])
  })

  test.each([
    [302, 'The receiver answered 302'],
    [400, 'The receiver answered 400'],
    [503, 'The receiver answered 503'],
  ])('that is answered %i has failed, and is not tried again', async (status, error) => {
    const { id } = await create()
    answer(status)
    expect((await api.post(`/v1/webhook-endpoints/${id}/test`)).body).toEqual({ delivered: false, error })
    const [delivery] = await deliveriesOf(api, id)
    expect(delivery).toMatchObject({ status: 'dead', attempts: 1, statusCode: status, error })
    expect(delivery.nextAttemptAt).toBeNull()
    const retried = await api.post(`/v1/webhook-endpoints/${id}/deliveries/${delivery.id}/retry`)
    expect(retried.status).toBe(409)
    expect(receiver.seen).toHaveLength(1)
  })

  test('to where nobody is says so', async () => {
    const { id } = await create({ url: 'http://127.0.0.1:9/' })
    expect((await api.post(`/v1/webhook-endpoints/${id}/test`)).body).toEqual({
      delivered: false,
      error: 'The connection was refused',
    })
    expect((await read(id)).lastDelivery).toMatchObject({
      event: 'webhook.test',
      status: 'dead',
      statusCode: null,
    })
  })

  test('whose outcome nobody lived to write down is not sent by anyone else', async () => {
    const { id } = await create()
    await api.post(`/v1/webhook-endpoints/${id}/test`)
    // As the row is between being stored and being answered; and later, when its maker is gone.
    const open = `update webhook_deliveries set status = 'dead', attempts = 0, attempted_at = null, status_code = null,
      error = 'The service ended before the outcome was known', lease_until = now() + $2::interval where endpoint_id = $1`
    await service.database.query(open, [id, '1 h'])
    expect(await deliveriesOf(api, id)).toMatchObject([
      { status: 'pending', error: null, nextAttemptAt: null },
    ])
    await service.database.query(open, [id, '-1 s'])
    await violate()
    await waitForDelivery(api, id, 'delivered')
    const stored = await deliveriesOf(api, id)
    expect(stored).toMatchObject([
      { event: 'policy.violation' },
      { event: 'webhook.test', status: 'dead', error: 'The service ended before the outcome was known' },
    ])
    expect(receiver.seen).toHaveLength(2)
  })
})

test('CloudEvents are signed like other deliveries, and shown as they were sent', async () => {
  const { id, secret, envelope } = await create({ envelope: 'cloudevents' })
  expect(envelope).toBe('cloudevents')
  await violate()
  const delivery = await waitForDelivery(api, id, 'delivered')
  const seen = await nthSeen(receiver, 1)
  expect(seen.headers['content-type']).toBe('application/cloudevents+json')
  const event = verify(seen, secret)
  expect(event).toMatchObject({
    ...{ specversion: '1.0', id: delivery.id, type: 'tallystick.policy.violation', time: delivery.createdAt },
    ...{ source: `urn:tallystick:${service.tenantId}`, data: delivery.data },
  })
  const { body } = await api.get(`/v1/webhook-endpoints/${id}/deliveries/${delivery.id}`)
  expect(body.body).toBe(seen.raw.toString())
  await api.patch(`/v1/webhook-endpoints/${id}`, { envelope: 'tallystick' })
  await violate()
  expect((await nthSeen(receiver, 2)).headers['content-type']).toBe('application/json')
})

/** All who can verify agree. */
function verify({ headers, raw }: SeenRequest, secret: string) {
  const signature = String(headers['x-tallystick-signature'])
  const ours = verifyWebhook({ body: raw, signature, secret })
  expect(stripe.webhooks.constructEvent(raw, signature, secret)).toMatchObject({ id: ours.id })
  const standard = {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  }
  expect(new Webhook(secret).verify(raw, standard)).toEqual(ours)
  return ours
}

describe('a delivery', () => {
  test('has the envelope, the headers and the signatures to the letter', async () => {
    const { id, secret } = await create({ url: `${receiver.url}/hooks/a?b=c` })
    await violate()
    const seen = await nthSeen(receiver, 1)
    expect(seen.path).toBe('/hooks/a?b=c')
    expect(seen.body).toEqual({
      id: expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
      event: 'policy.violation',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        message: 'A call to the model mock/echo was blocked: it is not in the allowlist',
        virtual_key_id: violatingKeyId,
        user_id: null,
        policy_id: null,
        policy_name: null,
        check: 'model_allowlist',
        model: 'mock/echo',
        receipt_seq: expect.any(Number),
      },
    })
    expect(seen.headers).toMatchObject({
      'content-type': 'application/json',
      'x-tallystick-delivery-id': seen.body.id,
      'x-tallystick-event': 'policy.violation',
      'x-tallystick-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      'webhook-id': seen.body.id,
    })
    expect(verify(seen, secret)).toEqual(seen.body)

    const delivery = await waitForDelivery(api, id, 'delivered')
    expect(delivery).toEqual({
      id: seen.body.id,
      event: 'policy.violation',
      status: 'delivered',
      attempts: 1,
      statusCode: 204,
      error: null,
      data: seen.body.data,
      createdAt: seen.body.created,
      lastAttemptAt: expect.any(String),
      nextAttemptAt: null,
    })
    expect((await read(id)).lastDelivery).toEqual({
      id: seen.body.id,
      event: 'policy.violation',
      status: 'delivered',
      statusCode: 204,
      error: null,
      at: delivery.lastAttemptAt,
    })
    const { canonical } = await receiptOf(seen.body.data.receipt_seq)
    expect(JSON.parse(canonical)).toMatchObject({ key: violatingKeyId, outcome: 'blocked' })
  })

  test('goes to every endpoint that listens, under an id of its own, and to no other', async () => {
    const endpoints = [await create(), await create({ events: ['webhook.test', 'policy.violation'] })]
    await create({ events: ['anomaly.usage_spike'] })
    await create({ enabled: false })
    await violate()
    await nthSeen(receiver, 2)
    const ids = receiver.seen.map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(2)
    for (const { id } of endpoints) expect(await deliveriesOf(api, id)).toHaveLength(1)
    expect(receiver.seen).toHaveLength(2)
  })

  test('that failed is tried again, in time, with the same id and the same bytes but a fresh signature', async () => {
    const { id, secret } = await create()
    // The second attempt is answered once what the first has left behind was read.
    const looked = makeGate()
    receiver.answerWith(async (_, response) => {
      const isFirst = receiver.seen.length === 1
      if (!isFirst) await looked.passed
      response.writeHead(isFirst ? 500 : 200).end()
    })
    await violate()
    const waiting = await waitForDelivery(api, id, 'retrying')
    expect(waiting).toMatchObject({ attempts: 1, statusCode: 500, error: 'The receiver answered 500' })
    const delayMs = Date.parse(waiting.nextAttemptAt) - Date.parse(waiting.lastAttemptAt)
    expect(delayMs).toBeGreaterThanOrEqual(3_999)
    expect(delayMs).toBeLessThanOrEqual(5_001)
    expect((await read(id)).lastDelivery).toMatchObject({ status: 'retrying', statusCode: 500 })
    expect((await read(id)).lastWeek).toEqual({ delivered: 0, retrying: 1, dead: 0 })

    looked.open()
    const [first] = receiver.seen
    const second = await nthSeen(receiver, 2)
    expect(second.raw).toEqual(first?.raw)
    expect(second.headers['x-tallystick-delivery-id']).toBe(waiting.id)
    expect(second.headers['x-tallystick-signature']).not.toBe(first?.headers['x-tallystick-signature'])
    verify(second, secret)
    expect(await waitForDelivery(api, id, 'delivered')).toMatchObject({ attempts: 2, error: null })
  })

  test('is dead when its attempts are spent, and can be sent again', async () => {
    const { id } = await create({ maxAttempts: 2 })
    answer(410)
    await violate()
    const deliveryId: string = await waitFor('the first attempt', async () => {
      const [delivery] = await deliveriesOf(api, id)
      return delivery.attempts > 0 && delivery.id
    })
    await makeDue(deliveryId)
    const dead = await waitForDelivery(api, id, 'dead')
    expect(dead).toMatchObject({ attempts: 2, statusCode: 410, nextAttemptAt: null })
    expect((await read(id)).lastDelivery).toMatchObject({ id: deliveryId, status: 'dead' })
    await api.post(`/v1/webhook-endpoints/${id}/test`)
    expect((await read(id)).lastWeek).toEqual({ delivered: 0, retrying: 0, dead: 1 })
    receiver.seen.pop()

    answer(200)
    const retried = await api.post(`/v1/webhook-endpoints/${id}/deliveries/${deliveryId}/retry`)
    expect(retried).toMatchObject({ status: 200, body: { id: deliveryId, status: 'pending', attempts: 0 } })
    await waitForDelivery(api, id, 'delivered')
    expect(receiver.seen.map(({ body }) => body.id)).toEqual([deliveryId, deliveryId, deliveryId])
    expect((await api.post(`/v1/webhook-endpoints/${id}/deliveries/dlv_none/retry`)).status).toBe(404)
  })

  test('shows the body as it was sent, and each attempt, also those before it was sent again', async () => {
    const { id } = await create({ maxAttempts: 1 })
    answer(503)
    await violate()
    const { id: deliveryId } = await waitForDelivery(api, id, 'dead')
    answer(204)
    await api.post(`/v1/webhook-endpoints/${id}/deliveries/${deliveryId}/retry`)
    await waitForDelivery(api, id, 'delivered')
    const { body } = await api.get(`/v1/webhook-endpoints/${id}/deliveries/${deliveryId}`)
    const attempt = { at: expect.any(String), durationMs: expect.any(Number) }
    expect(body).toMatchObject({ id: deliveryId, status: 'delivered', attempts: 1 })
    expect(body.history).toEqual([
      { ...attempt, statusCode: 503, error: 'The receiver answered 503' },
      { ...attempt, statusCode: 204, error: null },
    ])
    expect(receiver.seen.map(({ raw }) => raw.toString())).toEqual([body.body, body.body])
    expect((await api.get(`/v1/webhook-endpoints/${id}/deliveries/dlv_none`)).status).toBe(404)
  })

  test('lists are paged and filtered', async () => {
    const { id } = await create()
    for (let i = 0; i < 3; i++) await violate()
    await waitFor('all', async () =>
      (await deliveriesOf(api, id)).every((d: Status) => d.status === 'delivered'),
    )
    const path = `/v1/webhook-endpoints/${id}/deliveries`
    const all = (await deliveriesOf(api, id)).map((delivery: { id: string }) => delivery.id)
    expect(all).toEqual(all.toSorted().toReversed())
    const first = (await api.get(`${path}?limit=2&status=delivered`)).body
    const second = (await api.get(`${path}?limit=2&status=delivered&cursor=${first.nextCursor}`)).body
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all)
    expect(second.nextCursor).toBeNull()
    expect((await api.get(`${path}?status=dead`)).body.data).toEqual([])
  })
})

interface Status {
  status: string
}

async function receiptOf(seq: number): Promise<{ canonical: string }> {
  const [row] = await service.database.query<{ canonical: string }>(
    'select canonical from receipts where seq = $1',
    [seq],
  )
  if (!row) throw new Error('no such receipt')
  return row
}

describe('a rotated secret', () => {
  test('signs beside the one before for as long as they overlap', async () => {
    const { id, secret: old } = await create()
    const { status, body } = await api.post(`/v1/webhook-endpoints/${id}/rotate-secret`)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^whsec_/)
    expect(body.secret).not.toBe(old)
    expect({ ...body, secret: undefined }).toMatchObject({ id, enabled: true })
    const hoursLeft = (Date.parse(body.previousSecretUntil) - Date.now()) / 3_600_000
    expect(hoursLeft).toBeGreaterThan(23)
    expect(hoursLeft).toBeLessThanOrEqual(24)

    await violate()
    const both = await nthSeen(receiver, 1)
    expect(both.headers['x-tallystick-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    verify(both, old)
    verify(both, body.secret)

    const until = 'select previous_secret_until - now() as left from webhook_endpoints where id = $1'
    const [{ left } = { left: null }] = await service.database.query<{ left: { hours?: number } | null }>(
      until,
      [id],
    )
    expect(left?.hours).toBe(23)
    await service.database.query(
      "update webhook_endpoints set previous_secret_until = now() - interval '1 s' where id = $1",
      [id],
    )
    expect((await read(id)).previousSecretUntil).toBeNull()
    await violate()
    const one = await nthSeen(receiver, 2)
    verify(one, body.secret)
    expect(() => verify(one, old)).toThrow()
  })

  test('without overlap is the only one at once', async () => {
    const { id, secret: old } = await create()
    const { body } = await api.post(`/v1/webhook-endpoints/${id}/rotate-secret`, { overlapHours: 0 })
    await violate()
    const seen = await nthSeen(receiver, 1)
    verify(seen, body.secret)
    expect(() => verify(seen, old)).toThrow()
  })
})

describe('a change acts on what is not sent yet', () => {
  // What has failed is not tried again before it is made due, however long that takes.
  beforeAll(() =>
    service.database.query(`
      create function put_off() returns trigger language plpgsql as $$
        begin new.due_at := now() + interval '1 day'; return new; end $$;
      create trigger put_off before update of attempts on webhook_deliveries for each row
        when (new.status = 'retrying' and new.attempts > old.attempts) execute function put_off()`),
  )
  afterAll(() => service.database.query('drop trigger put_off on webhook_deliveries'))

  async function failOnce(fields: object = {}) {
    answer(500)
    const endpoint = await create(fields)
    await violate()
    const delivery = await waitForDelivery(api, endpoint.id, 'retrying')
    answer(200)
    return { endpoint, delivery }
  }

  test('the URL', async () => {
    const { endpoint, delivery } = await failOnce()
    const elsewhere = await startUpstream((_, response) => void response.end())
    await api.patch(`/v1/webhook-endpoints/${endpoint.id}`, { url: elsewhere.url })
    await makeDue(delivery.id)
    await waitForDelivery(api, endpoint.id, 'delivered')
    expect(elsewhere.seen).toHaveLength(1)
    expect(receiver.seen).toHaveLength(1)
    await elsewhere.close()
  })

  test('the type, and with it the body', async () => {
    const { endpoint, delivery } = await failOnce()
    await api.patch(`/v1/webhook-endpoints/${endpoint.id}`, { type: 'chat' })
    await makeDue(delivery.id)
    expect((await nthSeen(receiver, 2)).body).toEqual({ text: expect.any(String) })
  })

  test('the number of attempts', async () => {
    const { endpoint, delivery } = await failOnce()
    answer(500)
    await api.patch(`/v1/webhook-endpoints/${endpoint.id}`, { maxAttempts: 2 })
    await makeDue(delivery.id)
    expect(await waitForDelivery(api, endpoint.id, 'dead')).toMatchObject({ attempts: 2 })
  })

  test('while it is disabled nothing is sent; what waited goes out when it is enabled, what happened does not', async () => {
    const { endpoint, delivery } = await failOnce()
    const other = await create({ url: `${receiver.url}/other` })
    await api.patch(`/v1/webhook-endpoints/${endpoint.id}`, { enabled: false })
    await makeDue(delivery.id)
    await violate()
    await waitForDelivery(api, other.id, 'delivered')
    expect(await deliveriesOf(api, endpoint.id)).toMatchObject([{ id: delivery.id, status: 'retrying' }])

    await api.patch(`/v1/webhook-endpoints/${endpoint.id}`, { enabled: true })
    await waitForDelivery(api, endpoint.id, 'delivered')
    expect(receiver.seen.map(({ path, body }) => [path, body.id === delivery.id])).toEqual([
      ['/', true],
      ['/other', false],
      ['/', true],
    ])
  })

  test('when it is deleted nothing more is sent', async () => {
    const { endpoint, delivery } = await failOnce()
    await api.delete(`/v1/webhook-endpoints/${endpoint.id}`)
    const stored = 'select status, error from webhook_deliveries where id = $1'
    expect(await service.database.query(stored, [delivery.id])).toEqual([
      { status: 'dead', error: 'The endpoint was deleted' },
    ])
  })
})

describe('a chat endpoint', () => {
  test('gets a text and nothing else, unsigned', async () => {
    await create({ type: 'chat' })
    await violate()
    const { headers, raw, body } = await nthSeen(receiver, 1)
    expect(raw.toString()).toBe(
      JSON.stringify({
        text: '*Tallystick · policy.violation*\nA call to the model mock/echo was blocked: it is not in the allowlist',
      }),
    )
    expect(Object.keys(body)).toEqual(['text'])
    expect(headers['x-tallystick-event']).toBe('policy.violation')
    expect(headers['x-tallystick-delivery-id']).toMatch(/^dlv_/)
    expect(Object.keys(headers).filter((name) => /signature|^webhook-/.test(name))).toEqual([])
  })

  test('cannot be made to say what a user wrote', async () => {
    const { id } = await create({
      type: 'chat',
      name: '<!channel> @everyone *hi* > [x](http://evil.example)',
    })
    await api.post(`/v1/webhook-endpoints/${id}/test`)
    expect((await nthSeen(receiver, 1)).body.text).toBe(
      '*Tallystick · webhook.test*\nThis is a test of the webhook endpoint "‹!channel› ＠everyone ∗hi∗ › ［x］(http:⁄⁄evil.example)"',
    )
  })
})

describe('in production', () => {
  let strict: TestService
  beforeAll(async () => {
    strict = await startTestService({ env: { NODE_ENV: 'production' } })
  })
  afterAll(() => strict.stop())

  test.each([
    ['http://hooks.example.com/', 'url: must be an https URL'],
    ['https://127.0.0.1/', 'url: must not lead to this machine (a loopback address)'],
    ['https://localhost./', 'url: must not lead to this machine (localhost)'],
    ['https://10.1.2.3/', 'url: must not lead to a private network'],
    ['https://169.254.169.254/', 'url: must not lead to a link-local address'],
    ['https://[::ffff:7f00:1]/', 'url: must not lead to this machine (a loopback address)'],
  ])('%s is refused when it is set: %s', async (url, message) => {
    const fields = { name: 'x', type: 'generic', events: ['webhook.test'] }
    const created = await strict.api.post('/v1/webhook-endpoints', { ...fields, url })
    expect(created).toMatchObject({ status: 400, body: { error: { type: 'invalid_webhook_url', message } } })
    const { id } = await createEndpoint(strict.api, { ...fields, url: 'https://93.184.216.34/' })
    const changed = await strict.api.patch(`/v1/webhook-endpoints/${id}`, { url })
    expect(changed).toMatchObject({ status: 400, body: { error: { type: 'invalid_webhook_url', message } } })
  })

  test('a URL that came past the check is refused when it is used', async () => {
    const { id } = await createEndpoint(strict.api, { url: 'https://93.184.216.34/' })
    for (const url of [receiver.url, receiver.url.replace('http:', 'https:')]) {
      await strict.database.query('update webhook_endpoints set url = $2 where id = $1', [id, url])
      const { body } = await strict.api.post(`/v1/webhook-endpoints/${id}/test`)
      expect(body).toEqual({
        delivered: false,
        error: expect.stringContaining('The URL is refused: it must'),
      })
    }
    expect(receiver.seen).toEqual([])
  })
})
