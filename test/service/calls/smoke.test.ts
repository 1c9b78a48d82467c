import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyRecord } from '../../harness/record/record.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test('a governed call is answered, priced and receipted', async () => {
  const answer = await service.api.post('/v1/chat/completions', {
    model: 'mock/echo',
    messages: [{ role: 'user', content: 'Hello, tally!' }],
  })
  expect(answer.status).toBe(200)
  expect(answer.body.choices[0].message.content).toBe('Hello, tally!')
  expect(answer.headers.get('x-tallystick-receipt')).toBe('2')
  expect(answer.headers.get('x-tallystick-cost-usd')).toBe('0.000006')

  const record = await verifyRecord(service.database)
  expect(record).toMatchObject({ fault: null, chained: 2, sealed: 2 })
  const [price, receipt] = record.entries
  expect(price).toMatchObject({ kind: 'control', event: 'price.apply', terms: expect.any(Object) })
  expect(receipt).toMatchObject({
    outcome: 'ok',
    status: 200,
    costNanos: 6_000,
    model: 'mock/echo',
    price: price.subject,
  })
})
