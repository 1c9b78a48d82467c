import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeGate } from '../gateway.js'
import { pick, random } from '../seed.js'
import { type BilledGateway, startBilledGateway, sumOfBills } from './governed.js'
import type { JsonObject } from './json.js'
import type { Shape } from './shapes.js'
import type { Bill } from './upstream.js'

const atOnce = 50
const enoughUsd = 100_000

/** Shapes that are refused, because nothing bounds what they cost, with the status that they get. */
export type Refused = Readonly<Record<string, number>>

/** The promises of budgets, for each of the shapes. */
export function holdShapes(shapes: readonly Shape[], refused: Refused = {}): void {
  let billed: BilledGateway
  beforeAll(async () => {
    billed = await startBilledGateway()
  })
  beforeEach(() => billed.upstream.reset())
  afterEach(() => billed.removeKeys())
  afterAll(() => billed.stop())

  for (const shape of shapes) {
    const status = refused[shape.name]
    describe(shape.name, () => {
      beforeEach(() => {
        billed.upstream.maxVisibleTokens = shape.maxVisibleTokens ?? billed.upstream.maxVisibleTokens
      })
      if (status !== undefined)
        test('is refused, and nothing is billed', () => expectRefusal(billed, shape, status))
      else holdShape(() => billed, shape)
    })
  }
}

function holdShape(billedGateway: () => BilledGateway, shape: Shape): void {
  for (const form of shape.forms)
    test(`${form}: no more is billed than was reserved, and what is billed is recorded`, async () => {
      const billed = billedGateway()
      const { key } = await billed.newKey(enoughUsd)
      const body = await billed.prepare(shape, key)
      const call = await makeCall(billed, shape, { ...body, ...(form === 'stream' && { stream: true }) }, key)
      expect(call.bill.nanos).toBeLessThanOrEqual(call.reserved)
      if (shape.unsaid) expect(call.recorded).toBeGreaterThanOrEqual(call.bill.nanos)
      else expect(call.recorded).toBe(call.bill.nanos)
    })

  if (shape.forms.includes('stream'))
    test('hanging up is not cheaper', async () => {
      const billed = billedGateway()
      const { key } = await billed.newKey(enoughUsd)
      const body = { ...(await billed.prepare(shape, key)), stream: true }
      const { length } = await makeCall(billed, shape, body, key)
      const { bill, recorded } = await hangUp(billed, shape, body, key, length)
      expect(recorded).toBeGreaterThanOrEqual(bill.nanos)
    })

  test(`${atOnce} at once stay within a budget for three`, async () => {
    const billed = billedGateway()
    const { key: rich } = await billed.newKey(enoughUsd)
    const form: JsonObject = shape.forms.includes('plain') ? {} : { stream: true }
    const body = { ...(await billed.prepare(shape, rich)), ...form }
    const one = await makeCall(billed, shape, body, rich)
    // At least one fits, however much more than the bill is reserved.
    const amountMicros = Math.ceil(Math.max(3 * one.bill.nanos, one.reserved) / 1_000)
    const { key } = await billed.newKey(amountMicros / 1_000_000)
    const { bills, statuses } = await sendAtOnce(billed, shape, body, key)
    expect(bills.filter(({ refusal }) => refusal !== undefined)).toEqual([])
    expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([])
    expect(statuses).toContain(200)
    expect(sumOfBills(bills)).toBeLessThanOrEqual(amountMicros * 1_000)
  })
}

interface MeasuredCall {
  bill: Bill
  reserved: number
  recorded: number
  /** Bytes of the answer. */
  length: number
}

/** One call, read to its end, while nobody else calls. */
async function makeCall(
  { upstream, reserved, send, recorded }: BilledGateway,
  shape: Shape,
  body: JsonObject,
  key: string,
): Promise<MeasuredCall> {
  const before = upstream.bills.length
  let held = 0
  upstream.beforeAnswer = async () => {
    held = await reserved()
  }
  const response = await send(shape, body, key)
  const text = await response.text()
  upstream.beforeAnswer = null
  const bill = upstream.bills[before]
  if (response.status !== 200 || !bill) throw new Error(`${response.status}: ${text.slice(0, 500)}`)
  return {
    bill,
    reserved: held,
    recorded: (await recorded(response)).nanos,
    length: Buffer.byteLength(text),
  }
}

/** Reads some bytes and goes away, while the provider is still in the middle of its answer. */
async function hangUp(
  { upstream, send, recorded, leave }: BilledGateway,
  shape: Shape,
  body: JsonObject,
  key: string,
  length: number,
): Promise<Pick<MeasuredCall, 'bill' | 'recorded'>> {
  const before = upstream.bills.length
  const [reached, gone] = [makeGate(), makeGate()]
  const place = pick([1, 2, 3, 5, 8, 13])
  upstream.beforeEvent = async (_, index) => {
    if (index !== place) return
    reached.open()
    await gone.passed
  }
  const caller = new AbortController()
  const response = await send(shape, body, key, caller.signal)
  await readSome(response, Math.floor(random() * length), reached.passed)
  await leave(caller)
  gone.open()
  const bill = upstream.bills[before]
  if (!bill) throw new Error('nothing was billed')
  return { bill, recorded: (await recorded(response)).nanos }
}

async function readSome(response: Response, bytes: number, enough: Promise<void>): Promise<void> {
  const reader = response.body?.getReader()
  if (!reader) throw new Error('the response has no body')
  for (let read = 0; read < bytes; ) {
    const piece = await Promise.race([reader.read(), enough])
    if (!piece || piece.done) return
    read += piece.value.length
  }
}

/** All calls are admitted or refused before the first one is answered. */
async function sendAtOnce(
  { upstream, send }: BilledGateway,
  shape: Shape,
  body: JsonObject,
  key: string,
): Promise<{ bills: Bill[]; statuses: number[] }> {
  const before = upstream.bills.length
  const decided = makeGate()
  let refused = 0
  const look = () => {
    if (refused + upstream.bills.length - before >= atOnce) decided.open()
  }
  upstream.beforeAnswer = () => {
    look()
    return decided.passed
  }
  const statuses = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const response = await send(shape, body, key)
      if (response.status !== 200) {
        refused++
        look()
      }
      await response.arrayBuffer()
      return response.status
    }),
  )
  return { bills: upstream.bills.slice(before), statuses }
}

async function expectRefusal(billed: BilledGateway, shape: Shape, status: number): Promise<void> {
  const { key } = await billed.newKey(enoughUsd)
  const response = await billed.send(shape, await billed.prepare(shape, key), key)
  expect(response.status).toBe(status)
  const text = await response.text()
  expect(JSON.parse(text).error.message.length).toBeGreaterThan(20)
  expect(billed.upstream.bills.filter(({ body }) => body.model === shape.model)).toEqual([])
}
