import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ExportVerifier } from '../../../packages/record/src/verify/export-verifier.js'
import { CostCheck } from '../../../packages/record/src/verify/files/check-costs.js'
import { sendJson } from '../../harness/providers/upstream.js'
import { chatAnswer, chatCostNanos } from '../../harness/providers/vendor-answers.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'

// A cost that is not the provider's own count can be corrected; a stranger can compute all costs again.

let gateway: TestGateway
beforeAll(async () => {
  gateway = await shareTestGateway()
})
afterAll(() => gateway.stop())
beforeEach(() =>
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'x' }))),
)

const api = () => gateway.service.api
const body = { model: 'gpt-4o-mini', max_tokens: 1_000, messages: [{ role: 'user', content: 'hi' }] }

interface Key {
  id: string
  key: string
}
const newKey = async (): Promise<Key> =>
  (await api().post('/v1/keys', { name: 'adjusted', userId: 'una' })).body

/** A call whose provider hangs up after it got the request: what it used is not known. */
async function callInVain(key: string) {
  gateway.upstream.answerWith((_, response) => void response.destroy())
  const response = await gateway.send('/v1/chat/completions', body, { key })
  expect(response.status).toBe(502)
  return await gateway.receiptOf(response)
}

const adjust = (seq: number, input: object) => api().post(`/v1/compliance/receipts/${seq}/adjust`, input)

describe('a cost that was reserved', () => {
  test('is corrected by an entry of its own, which budgets, limits and usage follow', async () => {
    const { id, key } = await newKey()
    const { body: budget } = await api().post('/v1/budgets', {
      name: `Of ${id}`,
      scope: { type: 'key', id },
      amountUsd: 0.001,
    })
    const receipt = await callInVain(key)
    expect(receipt).toMatchObject({ usage: 'reserved', outcome: 'upstream_error', outputTokens: 1_000 })
    // 1,000 output tokens at 0.60 USD per million, and a little input.
    expect(receipt.costNanos).toBeGreaterThanOrEqual(600_000)
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'x' })))
    expect((await gateway.send('/v1/chat/completions', { ...body, max_tokens: 1_200 }, { key })).status).toBe(
      200,
    )

    const usageBefore = (await api().get('/v1/usage?range=24h&groupBy=key')).body
    const corrected = await adjust(receipt.seq, { amountUsd: 0.000000123, reason: 'line 17 of the invoice' })
    expect(corrected.status).toBe(200)
    expect(corrected.body).toMatchObject({
      kind: 'control',
      event: 'receipt.adjust',
      adjusts: receipt.seq,
      subject: receipt.id,
      costNanos: 123 - (receipt.costNanos ?? 0),
      reason: 'line 17 of the invoice',
    })
    const { body: after } = await api().get(`/v1/budgets/${budget.id}`)
    expect(after.spentUsd).toBeCloseTo((123 + chatCostNanos) / 1e9, 12)
    const usageAfter = (await api().get('/v1/usage?range=24h&groupBy=key')).body
    expect(usageAfter.totals.requests).toBe(usageBefore.totals.requests)
    expect(Math.round((usageBefore.totals.spendUsd - usageAfter.totals.spendUsd) * 1e9)).toBe(
      (receipt.costNanos ?? 0) - 123,
    )
    // What was given back can be spent.
    const again = await gateway.send('/v1/chat/completions', { ...body, max_tokens: 1_200 }, { key })
    expect(again.status).toBe(200)
    expect(gateway.upstream.seen.at(-1)?.body.max_tokens).toBe(1_200)

    // A second correction starts from the first; the same amount is no correction.
    expect((await adjust(receipt.seq, { amountUsd: 0.000000123, reason: 'again' })).status).toBe(409)
    const second = await adjust(receipt.seq, { amountUsd: 0, reason: 'not on the bill' })
    expect(second.body.costNanos).toBe(-123)
  })

  test('has one correction after the other, however many are made at once and while calls are recorded', async () => {
    const { id, key } = await newKey()
    const { body: budget } = await api().post('/v1/budgets', {
      name: `Crowded ${id}`,
      scope: { type: 'key', id },
      amountUsd: 1,
    })
    const receipt = await callInVain(key)
    gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'x' })))
    const calls = Array.from({ length: 20 }, async () => {
      const response = await gateway.send('/v1/chat/completions', body, { key })
      await response.text()
      return response.status
    })
    const corrections = Array.from({ length: 20 }, (_, i) =>
      adjust(receipt.seq, { amountUsd: (i + 1) / 1e6, reason: `attempt ${i}` }),
    )
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
    const done = await Promise.all(corrections)
    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([200]))
    const last = done.map(({ body: entry }) => entry).toSorted((a, b) => b.seq - a.seq)[0]
    const made = done.findIndex(({ body: entry }) => entry.seq === last.seq) + 1
    const sum = done.reduce((total, { body: entry }) => total + entry.costNanos, receipt.costNanos ?? 0)
    expect(sum).toBe(made * 1_000)
    const { body: after } = await api().get(`/v1/budgets/${budget.id}`)
    expect(Math.round(after.spentUsd * 1e9)).toBe(sum + 20 * chatCostNanos)
  })

  test('is not corrected where the provider itself counted, nor by a member, nor to nonsense', async () => {
    const { key } = await newKey()
    const response = await gateway.send('/v1/chat/completions', body, { key })
    const receipt = await gateway.receiptOf(response)
    expect(receipt.usage).toBe('provider')
    expect((await adjust(receipt.seq, { amountUsd: 1, reason: 'x' })).status).toBe(409)
    expect((await adjust(999_999, { amountUsd: 1, reason: 'x' })).status).toBe(404)
    const vain = await callInVain(key)
    const asMember = gateway.service.as(key).post(`/v1/compliance/receipts/${vain.seq}/adjust`, {
      amountUsd: 0,
      reason: 'mine',
    })
    expect((await asMember).status).toBe(403)
    for (const input of [
      { amountUsd: -1, reason: 'x' },
      { amountUsd: 0.0000000001, reason: 'x' },
      { amountUsd: 1 },
      { amountUsd: 1, reason: ' ' },
    ])
      expect((await adjust(vain.seq, input)).status).toBe(400)
  })
})

async function checkCosts(change: (line: string) => string = (line) => line) {
  const text = await (
    await fetch(`${gateway.service.address}/v1/compliance/export`, {
      headers: { authorization: `Bearer ${gateway.service.managerKey}` },
    })
  ).text()
  const costs = new CostCheck()
  const verifier = new ExportVerifier({ onEntry: (entry) => costs.addEntry(entry) })
  for (const line of text.trimEnd().split('\n')) verifier.addLine(change(line))
  return { fault: verifier.finish().fault, finding: costs.finish('export.jsonl') }
}

describe('a stranger', () => {
  test('computes every cost again from the export, and its sum is that of the usage', async () => {
    const { key } = await newKey()
    for (const model of ['gpt-4o-mini', 'gpt-4o'])
      await gateway.send('/v1/chat/completions', { ...body, model }, { key })
    const { fault, finding } = await checkCosts()
    expect(fault).toBeNull()
    expect(finding).toMatchObject({ fault: null, remarks: [], facts: { withoutPrice: 0 } })
    const { body: usage } = await api().get('/v1/usage?range=24h')
    expect(finding.facts.costNanos).toBe(String(Math.round(usage.totals.spendUsd * 1e9)))
    expect(finding.facts.computed).toBe(usage.totals.requests)
  })
})
