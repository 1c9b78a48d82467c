import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BilledGateway, startBilledGateway, sumOfBills } from '../../harness/billing/billed-gateway.js'

let billed: BilledGateway
const policies: string[] = []

beforeAll(async () => {
  billed = await startBilledGateway()
})
beforeEach(() => billed.upstream.reset())
afterEach(async () => {
  await billed.removeKeys()
  for (const id of policies.splice(0)) await billed.gateway.service.api.delete(`/v1/policies/${id}`)
})
afterAll(() => billed.stop())

async function redactWord(word: string): Promise<void> {
  const { status, body } = await billed.gateway.service.api.post('/v1/policies', {
    name: `no ${word}`,
    kind: 'keywords',
    config: { words: [word] },
    action: 'redact',
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  policies.push(body.id)
}

const chat = { path: '/v1/chat/completions' as const }
const says = (content: string, maxTokens: number) => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content }],
  max_tokens: maxTokens,
})

describe('a request that policies change', () => {
  test('stays within its budget, also where it has more tokens in fewer bytes', async () => {
    await redactWord('responsibilities')
    // One token of 17 bytes becomes several of fewer bytes.
    const body = says('responsibilities '.repeat(5_000), 16)
    const { key } = await billed.newKey(0.02)
    const response = await billed.send(chat, body, key)
    expect(response.status).toBe(402)
    expect(await response.json()).toMatchObject({ error: { type: 'budget_exceeded' } })
    expect(sumOfBills(billed.upstream.bills)).toBe(0)
  })

  test('is given less room for its answer, and is forwarded', async () => {
    await redactWord('tally')
    const { key } = await billed.newKey(0.05)
    const response = await billed.send(chat, says('tally '.repeat(100), 4_000), key)
    expect(response.status).toBe(200)
    await response.text()
    const [bill] = billed.upstream.bills
    expect(bill?.body.messages).toEqual([
      { role: 'user', content: expect.stringContaining('[KEYWORD_1] [KEYWORD_1]') },
    ])
    expect(bill?.body.max_tokens).toBeLessThan(4_000)
    expect(bill?.body.max_tokens).toBeGreaterThan(3_500)
  })

  test('is forwarded as it is where no budget applies', async () => {
    await redactWord('tally')
    const { body: made } = await billed.gateway.service.api.post('/v1/keys', { name: 'free' })
    const response = await billed.send(chat, says('tally '.repeat(100), 4_000), made.key)
    expect(response.status).toBe(200)
    await response.text()
    expect(billed.upstream.bills[0]?.body.max_tokens).toBe(4_000)
  })
})
