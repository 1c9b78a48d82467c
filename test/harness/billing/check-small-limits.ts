import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { random } from '../run/seed.js'
import { type BilledGateway, startBilledGateway, sumOfBills } from './billed-gateway.js'
import type { JsonObject } from './json.js'
import type { Shape } from './shapes.js'
import type { Bill } from './upstream.js'

const enoughUsd = 100_000

interface Measured {
  body: JsonObject
  bill: Bill
  reservedMicros: number
}

/**
 * Budgets and limits on tokens that are too small for a call. The vendor produces the most that the request allows: its models have no
 * maximum of their own. A request that can carry a lower maximum is lowered or refused; any other is refused.
 */
export function holdSmallLimits(shapes: readonly Shape[], canBeLowered: boolean): void {
  let billed: BilledGateway
  let rich: string
  beforeAll(async () => {
    billed = await startBilledGateway()
    rich = (await billed.newKey(enoughUsd)).key
  })
  beforeEach(() => billed.upstream.reset())
  afterAll(() => billed.stop())

  async function measure(shape: Shape): Promise<Measured> {
    const { upstream, send, prepare, reserved } = billed
    const body = await prepare(shape, rich)
    let reservedNanos = 0
    upstream.beforeAnswer = async () => {
      reservedNanos = await reserved()
    }
    const response = await send(shape, body, rich)
    const text = await response.text()
    upstream.beforeAnswer = null
    const bill = upstream.bills.at(-1)
    if (response.status !== 200 || !bill) throw new Error(`${response.status}: ${text.slice(0, 500)}`)
    await billed.recorded(response)
    return { body, bill, reservedMicros: Math.floor((reservedNanos - 1) / 1_000) }
  }

  /** One call that is told its limits, by a vendor that keeps to what it is told and to nothing else. */
  async function callWith(shape: Shape, body: JsonObject, key: string) {
    const { upstream, send } = billed
    const before = upstream.bills.length
    upstream.ignoresOwnMaximum = true
    upstream.maxVisibleTokens = Number.MAX_SAFE_INTEGER
    const response = await send(shape, body, key)
    const answer = await response.text()
    await billed.removeKeys(rich)
    return { status: response.status, answer, bills: upstream.bills.slice(before) }
  }

  for (const shape of shapes)
    describe(shape.name, () => {
      test('stays within a budget that is too small for it', async () => {
        const { body, bill, reservedMicros } = await measure(shape)
        // Where much is left of the budget, a bound on the input is reserved, and where little is left, its count. A call that cannot be
        // lowered fits into any budget between the two, so its budget is less than its price.
        const priceMicros = Math.ceil(bill.nanos / 1_000)
        const tooSmallMicros = canBeLowered ? reservedMicros : Math.min(reservedMicros, priceMicros - 1)
        // Nothing to pay, or less than the smallest budget.
        if (tooSmallMicros < 1) return
        const amountMicros = Math.max(1, Math.floor(tooSmallMicros * random()))
        const { key } = await billed.newKey(amountMicros / 1_000_000)
        const { status, bills } = await callWith(shape, body, key)
        expect(canBeLowered ? [200, 402] : [402]).toContain(status)
        expect(sumOfBills(bills)).toBeLessThanOrEqual(amountMicros * 1_000)
        if (status === 402) expect(bills).toEqual([])
      })

      if (!canBeLowered)
        test('is refused for good by a limit on tokens that is smaller than what it uses', async () => {
          const { body, bill } = await measure(shape)
          const used = bill.used.input + bill.used.output
          if (used < 2) return
          const { key } = await billed.newKey(enoughUsd, { tpmLimit: used - 1 })
          const { status, answer, bills } = await callWith(shape, body, key)
          const { error } = JSON.parse(answer)
          expect({ status, type: error.type, retryAfter: error.retry_after, bills }).toEqual({
            status: 400,
            type: 'invalid_request',
            retryAfter: undefined,
            bills: [],
          })
          expect(error.message).toContain(`the limit is ${used - 1} tokens per minute`)
        })
    })
}
