import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pick, random } from '../run/seed.js'
import { isSoak } from '../run/soak.js'
import { makeGate } from '../service/gateway.js'
import type { Ending } from './answer-endings.js'
import { type BilledGateway, startBilledGateway, sumOfBills } from './billed-gateway.js'
import type { JsonObject } from './json.js'
import { sendAtOnce } from './send-concurrently.js'
import type { Shape } from './shapes.js'
import type { Bill } from './upstream.js'

// Five times what fits; `npm run soak` sends more.
const atOnce = isSoak ? 50 : 15
const enoughUsd = 100_000

/** Shapes that are refused, because nothing bounds what they cost, with the status that they get. */
export type Refused = Readonly<Record<string, number>>

interface Parts {
  billed: BilledGateway
  /** A key with more than enough. */
  rich: string
}

/** The promises of budgets, for each of the shapes. */
export function holdShapes(shapes: readonly Shape[], refused: Refused = {}): void {
  let parts: Parts
  beforeAll(async () => {
    const billed = await startBilledGateway()
    parts = { billed, rich: (await billed.newKey(enoughUsd)).key }
  })
  beforeEach(() => parts.billed.upstream.reset())
  afterAll(() => parts.billed.stop())

  for (const shape of shapes) {
    const status = refused[shape.name]
    describe(shape.name, () => {
      beforeEach(() => {
        const { upstream } = parts.billed
        upstream.maxVisibleTokens = shape.maxVisibleTokens ?? upstream.maxVisibleTokens
      })
      if (status === undefined) holdShape(() => parts, shape)
      else test('is refused, and nothing is billed', () => expectRefusal(parts, shape, status))
    })
  }
}

function holdShape(parts: () => Parts, shape: Shape): void {
  // Of the last call that was read to its end; made now where a test is run by itself.
  let last: MeasuredCall | null = null

  for (const form of shape.forms)
    test(`${form}: no more is billed than was reserved, and what is billed is recorded`, async () => {
      last = null
      last = await makeCall(parts(), shape, form)
      expect(last.bill.nanos).toBeLessThanOrEqual(last.reserved)
      if (shape.unsaid) expect(last.recorded).toBeGreaterThanOrEqual(last.bill.nanos)
      else expect(last.recorded).toBe(last.bill.nanos)
    })

  for (const form of shape.forms)
    test(`${form}: an answer without its usage, or one that breaks off, is not cheaper`, async () => {
      for (const ending of ['withheld', { brokenAt: random() }] as const) {
        const { bill, recorded } = await endBadly(parts(), shape, form, ending)
        expect(recorded, JSON.stringify(ending)).toBeGreaterThanOrEqual(bill.nanos)
      }
    })

  if (shape.forms.includes('stream'))
    test('hanging up is not cheaper', async () => {
      const { length } = last ?? (await makeCall(parts(), shape, 'stream'))
      const { bill, recorded } = await hangUp(parts(), shape, length)
      expect(recorded).toBeGreaterThanOrEqual(bill.nanos)
    })

  // Another third in each run; all of them in `npm run soak`.
  if (!isSoak && random() > 1 / 3) return
  test(`${atOnce} at once stay within a budget for three`, async () => {
    const { billed, rich } = parts()
    const one = last ?? (await makeCall(parts(), shape, shape.forms.includes('plain') ? 'plain' : 'stream'))
    // At least one fits, however much more than the bill is reserved.
    const amountMicros = Math.ceil(Math.max(3 * one.bill.nanos, one.reserved) / 1_000)
    const { key } = await billed.newKey(amountMicros / 1_000_000)
    const body = await bodyOf(parts(), shape, shape.forms.includes('plain') ? 'plain' : 'stream')
    const { bills, statuses } = await sendAtOnce(billed, atOnce, shape, body, key)
    await billed.removeKeys(rich)
    expect(bills.filter(({ refusal }) => refusal !== undefined)).toEqual([])
    expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([])
    expect(statuses).toContain(200)
    expect(sumOfBills(bills)).toBeLessThanOrEqual(amountMicros * 1_000)
  })
}

async function bodyOf({ billed, rich }: Parts, shape: Shape, form: 'plain' | 'stream'): Promise<JsonObject> {
  const body = await billed.prepare(shape, rich)
  return form === 'stream' ? { ...body, stream: true } : body
}

interface MeasuredCall {
  bill: Bill
  reserved: number
  recorded: number
  /** Bytes of the answer. */
  length: number
}

/** One call, read to its end, while nobody else calls. */
async function makeCall(parts: Parts, shape: Shape, form: 'plain' | 'stream'): Promise<MeasuredCall> {
  const { upstream, reserved, send, recorded } = parts.billed
  const body = await bodyOf(parts, shape, form)
  const before = upstream.bills.length
  let held = 0
  upstream.beforeAnswer = async () => {
    held = await reserved()
  }
  const response = await send(shape, body, parts.rich)
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

/** A call whose answer does not say what it used. */
async function endBadly(
  parts: Parts,
  shape: Shape,
  form: 'plain' | 'stream',
  ending: Ending,
): Promise<Pick<MeasuredCall, 'bill' | 'recorded'>> {
  const { upstream, send, recorded } = parts.billed
  const body = await bodyOf(parts, shape, form)
  const before = upstream.bills.length
  upstream.ending = ending
  const response = await send(shape, body, parts.rich)
  await response.arrayBuffer().catch(() => null)
  upstream.ending = 'usage'
  const bill = upstream.bills[before]
  if (!bill) throw new Error(`nothing was billed: ${response.status}`)
  return { bill, recorded: (await recorded(response)).nanos }
}

/** Reads some bytes and goes away, while the provider is still in the middle of its answer. */
async function hangUp(
  parts: Parts,
  shape: Shape,
  length: number,
): Promise<Pick<MeasuredCall, 'bill' | 'recorded'>> {
  const { upstream, send, recorded, leave } = parts.billed
  const body = await bodyOf(parts, shape, 'stream')
  const before = upstream.bills.length
  const [reached, gone] = [makeGate(), makeGate()]
  const place = pick([1, 2, 3, 5, 8, 13])
  upstream.ending = pick(['usage', 'withheld'])
  upstream.beforeEvent = async (_, index) => {
    if (index !== place) return
    reached.open()
    await gone.passed
  }
  const caller = new AbortController()
  const response = await send(shape, body, parts.rich, caller.signal)
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  await readSome(response, Math.floor(random() * length), reached.passed)
  await leave(caller)
  gone.open()
  const bill = upstream.bills[before]
  if (!bill) throw new Error('nothing was billed')
  const { nanos } = await recorded(response)
  upstream.ending = 'usage'
  return { bill, recorded: nanos }
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

async function expectRefusal({ billed, rich }: Parts, shape: Shape, status: number): Promise<void> {
  const response = await billed.send(shape, await billed.prepare(shape, rich), rich)
  expect(response.status).toBe(status)
  const text = await response.text()
  expect(JSON.parse(text).error.message.length).toBeGreaterThan(20)
  expect(billed.upstream.bills.filter(({ body }) => body.model === shape.model)).toEqual([])
}
