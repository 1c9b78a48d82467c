import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countImage, readSize } from '../harness/billing/images.js'
import { type JsonObject, textAt } from '../harness/billing/json.js'
import { makeJpeg, makePdf, makePng, makeWav, makeWebp } from '../harness/billing/make-files.js'
import { audioTokens, readPdf } from '../harness/billing/media.js'
import { priceBook } from '../harness/billing/price-book.js'
import { type Shape, shapes } from '../harness/billing/shapes.js'
import { type BillingUpstream, startBillingUpstream } from '../harness/billing/upstream.js'

// The upstream that the tests of budgets believe: held here against the examples in the vendors' documentation.

let upstream: BillingUpstream
beforeAll(async () => {
  upstream = await startBillingUpstream()
})
beforeEach(() => upstream.reset())
afterAll(() => upstream.close())

const sendText = (path: string, body: string) =>
  fetch(upstream.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
const send = (path: string, body: JsonObject) => sendText(path, JSON.stringify(body))
const billOf = async (path: string, body: JsonObject) => {
  const response = await send(path, body)
  await response.text()
  const bill = upstream.bills.at(-1)
  if (!bill) throw new Error('nothing was billed')
  return bill
}
const imageRule = (model: string) => {
  const rule = priceBook[model]?.images
  if (!rule) throw new Error(`${model} takes no images`)
  return rule
}

describe('the examples of the documentation', () => {
  test.each([
    ['gpt-4o', 1_024, 1_024, 'high', 765],
    ['gpt-4o', 2_048, 4_096, 'high', 1_105],
    ['gpt-4o', 4_096, 8_192, 'low', 85],
    ['gpt-4o-mini', 1_024, 1_024, 'high', 25_501],
    ['gpt-4.1-mini', 1_024, 1_024, 'high', Math.ceil(1_024 * 1.62)],
    ['o4-mini', 1_800, 2_400, 'high', Math.ceil(1_452 * 1.72)],
    ['claude-sonnet-4-6', 200, 200, 'high', 64],
    ['claude-sonnet-4-6', 1_000, 1_000, 'high', 1_296],
  ])('%s: an image of %i by %i in %s detail is %i tokens', (model, width, height, detail, tokens) => {
    expect(countImage(imageRule(model), { width, height }, detail)).toBe(tokens)
  })

  test('a message is its text, its role and three; a reply three', async () => {
    const messages = [{ role: 'user', content: 'hi' }]
    const bill = await billOf('/v1/chat/completions', { model: 'gpt-4o', messages, max_tokens: 100 })
    expect(bill.used).toMatchObject({ input: 8, output: 100 })
    expect(bill.nanos).toBe(8 * 2_500 + 100 * 10_000)
  })

  test('the larger of both maxima is honoured; reasoning models refuse the older one', async () => {
    const messages = [{ role: 'user', content: 'hi' }]
    const both = { messages, max_tokens: 40, max_completion_tokens: 1 }
    expect((await billOf('/v1/chat/completions', { model: 'gpt-4o', ...both })).used.output).toBe(40)
    expect(await billOf('/v1/chat/completions', { model: 'o3', ...both })).toMatchObject({
      status: 400,
      nanos: 0,
    })
  })

  test('a search on Claude is a cent, and the prompt is read again after it', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }]
    const call = { model: 'claude-sonnet-4-6', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }
    const [without, bill] = [
      await billOf('/v1/messages', call),
      await billOf('/v1/messages', { ...call, tools }),
    ]
    expect(bill.used.feesPico).toBe(10_000_000_000)
    expect(bill.used.input).toBeGreaterThan(8_000 + 2 * (346 + without.used.input))
  })

  test('fast is six times, the United States a tenth more; a write for an hour is twice, a read a tenth', async () => {
    const call = { model: 'claude-opus-4-6', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }
    const { nanos } = await billOf('/v1/messages', call)
    expect((await billOf('/v1/messages', { ...call, speed: 'fast' })).nanos).toBe(6 * nanos)
    expect((await billOf('/v1/messages', { ...call, speed: 'fast', inference_geo: 'us' })).nanos).toBe(
      6.6 * nanos,
    )
    const system = [
      { type: 'text', text: 'word '.repeat(5_000), cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]
    const written = await billOf('/v1/messages', { ...call, system })
    const read = await billOf('/v1/messages', { ...call, system })
    expect(written.nanos - nanos).toBe(20 * (read.nanos - nanos))
  })

  test('a thinking budget that does not fit is refused in the words of the vendor', async () => {
    const thinking = { type: 'enabled', budget_tokens: 2_000 }
    const messages = [{ role: 'user', content: 'hi' }]
    const response = await send('/v1/messages', {
      model: 'claude-sonnet-4-6',
      max_tokens: 2_000,
      thinking,
      messages,
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('must be greater than `thinking.budget_tokens`')
  })

  test('what a response held is input of the next one', async () => {
    const first = await send('/v1/responses', {
      model: 'gpt-4o',
      input: 'word '.repeat(500),
      max_output_tokens: 50,
    })
    const answer: JsonObject = JSON.parse(await first.text())
    const held = upstream.bills[0]?.used
    const next = {
      model: 'gpt-4o',
      input: 'go on',
      previous_response_id: textAt(answer, 'id'),
      max_output_tokens: 5,
    }
    const bill = await billOf('/v1/responses', next)
    expect(bill.used.input).toBeGreaterThan((held?.input ?? 0) + (held?.output ?? 0))
  })
})

test('files are what they say they are', () => {
  expect(readSize(makePng(300, 200))).toEqual({ width: 300, height: 200 })
  expect(readSize(makeJpeg(300, 200))).toEqual({ width: 300, height: 200 })
  expect(readSize(makeWebp(300, 200))).toEqual({ width: 300, height: 200 })
  expect(readPdf(makePdf(['one', 'two (2)']))).toEqual({ pages: 2, text: 'one\ntwo \\(2\\)' })
  expect(readPdf(makePdf(['one', 'two', 'three'], { hiddenPages: true })).pages).toBe(3)
  expect(audioTokens(makeWav(20))).toBe(200)
})

test('there are at least 80 shapes, each with a name of its own', () => {
  expect(new Set(shapes.map(({ name }) => name)).size).toBe(shapes.length)
  expect(shapes.length).toBeGreaterThan(80)
})

/** Forms, speech, and what costs nothing say no usage in their answers: what is billed for these is held by billed-shapes-*. */
const saysUsage = ({ path, files }: Shape) =>
  files === undefined && !/^\/v1\/(audio|moderations|messages\/count_tokens)/.test(path)

describe('every shape that says what is billed says the truth', () => {
  test.each(shapes.filter(saysUsage).map((shape) => [shape.name, shape] as const))('%s', async (_, shape) => {
    upstream.maxVisibleTokens = shape.maxVisibleTokens ?? upstream.maxVisibleTokens
    for (const form of shape.forms) {
      const text = await ask(shape, form === 'stream')
      const bill = upstream.bills.at(-1)
      if (!bill) throw new Error('nothing was billed')
      expect(bill.refusal).toBeUndefined()
      expect(bill.nanos).toBeGreaterThan(0)
      expect(text.startsWith('{')).toBe(form === 'plain')
      const { input, output } = bill.used
      const said =
        shape.path === '/v1/messages' ? `"output_tokens":${output}` : `"total_tokens":${input + output}`
      // What is paid by the piece has no tokens.
      if (!shape.unsaid && input + output > 0) expect(text.includes(said)).toBe(true)
    }
  })
})

async function ask({ path, body, setup, write = String }: Shape, stream: boolean): Promise<string> {
  const more = (await setup?.(async (first) => JSON.parse(await (await send(path, first)).text()))) ?? {}
  const streamed = {
    stream,
    ...(path.endsWith('/completions') && { stream_options: { include_usage: true } }),
  }
  const text = JSON.stringify({ ...body, ...more, ...(stream && streamed) })
  return (await sendText(path, write(text))).text()
}
