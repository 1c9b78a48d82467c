import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import { collect, commitmentTo, startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

// Speech, recordings and edited images, by OpenAI's own client: requests that are forms, and answers that are no JSON.

let gateway: TestGateway
let client: OpenAI

beforeAll(async () => {
  gateway = await startTestGateway({ models: { ear: { provider: 'openai', model: 'whisper-1' } } })
  client = clientWith(gateway.service.managerKey)
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.seen.length = 0
})

const clientWith = (apiKey: string) =>
  new OpenAI({ baseURL: `${gateway.service.address}/v1`, apiKey, maxRetries: 0 })
const seen = () => gateway.upstream.seen.at(-1)
const answerBytes = (contentType: string, bytes: Buffer | string) =>
  gateway.upstream.answerWith(
    (_, response) => void response.writeHead(200, { 'content-type': contentType }).end(bytes),
  )
const answerWith = (body: unknown) =>
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, body))

async function budgetedKey(amountUsd: number): Promise<string> {
  const { api } = gateway.service
  const { body: made } = await api.post('/v1/keys', { name: 'budgeted' })
  const scope = { type: 'key', id: made.id }
  await api.post('/v1/budgets', { name: `budget ${made.id}`, scope, amountUsd, period: 'total' })
  return made.key
}

/** So many seconds of samples. */
function wav(seconds: number): Buffer {
  const samples = seconds * 8_000
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples * 2, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(16_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples * 2, 40)
  return Buffer.concat([head, Buffer.alloc(samples * 2)])
}
const recording = (seconds = 3) => toFile(wav(seconds), 'hello.wav', { type: 'audio/wav' })
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('speech', () => {
  const request = { model: 'tts-1', voice: 'alloy', input: 'Hello 👋' } as const
  const sound = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 37) % 256))

  test('is paid by the character, and its bytes arrive as they are', async () => {
    answerBytes('audio/mpeg', sound)
    const { response } = await client.audio.speech.create(request).withResponse()
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(Buffer.from(await response.arrayBuffer()).equals(sound)).toBe(true)
    expect(seen()?.body).toEqual(request)
    const receipt = await gateway.receiptOf(response)
    expect(receipt).toMatchObject({
      outcome: 'ok',
      // 7 characters at 15 USD per million.
      costNanos: 105_000,
      counts: { tools: { character: 7 } },
      usage: 'counted',
    })
    expect(receipt.response).toBe(commitmentTo(receipt, sound))
  })

  test('of what policies redact is paid by what was sent', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, phase: 'input', action: 'redact' },
    ])
    answerBytes('audio/mpeg', sound)
    const { response } = await clientWith(key)
      .audio.speech.create({ ...request, input: 'Write to ann@example.com!' })
      .withResponse()
    const sent: string = seen()?.body.input
    expect(sent).not.toContain('ann@example.com')
    expect(await gateway.receiptOf(response)).toMatchObject({
      outcome: 'redacted',
      counts: { tools: { character: [...sent].length } },
    })
  })

  test('is refused before it is paid for, where a policy must read the answer', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'secrets', phase: 'output', action: 'redact' },
    ])
    await expect(clientWith(key).audio.speech.create(request)).rejects.toMatchObject({ status: 403 })
    expect(gateway.upstream.seen).toEqual([])
  })

  test('stays within a budget, however many ask at once', async () => {
    answerBytes('audio/mpeg', sound)
    // Three times 1,000 characters at 15 USD per million.
    const key = await budgetedKey(0.045)
    const body = { ...request, input: 'a'.repeat(1_000) }
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await gateway.send('/v1/audio/speech', body, { key })
        await response.arrayBuffer()
        return response.status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 402)).toHaveLength(9)
  })

  test.each([
    ['as events', { ...request, stream_format: 'sse' }, 400],
    ['without a text', { model: 'tts-1', voice: 'alloy' }, 400],
    ['by a model without a price for it', { ...request, model: 'gpt-4o' }, 404],
  ])('%s is refused', async (_, body, status) => {
    expect((await gateway.send('/v1/audio/speech', body)).status).toBe(status)
    expect(gateway.upstream.seen).toEqual([])
  })

  test('that is no recording is not passed on', async () => {
    answerBytes('text/html', '<p>Sorry</p>')
    const response = await gateway.send('/v1/audio/speech', request)
    expect(response.status).toBe(502)
  })
})

describe('transcriptions', () => {
  const verbose = { text: 'Hello', duration: 2.6, usage: { type: 'duration', seconds: 3 } }

  test('are paid by the second that the provider counts; the file arrives as it is', async () => {
    answerWith(verbose)
    const { data, response } = await client.audio.transcriptions
      .create({ file: await recording(), model: 'whisper-1', language: 'en' })
      .withResponse()
    expect(data.text).toBe('Hello')
    const [{ headers, raw, path } = { headers: {}, raw: Buffer.alloc(0), path: '' }] = gateway.upstream.seen
    expect(path).toBe('/v1/audio/transcriptions')
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(raw.includes(wav(3))).toBe(true)
    const receipt = await gateway.receiptOf(response)
    expect(receipt).toMatchObject({ costNanos: 300_000, counts: { tools: { second: 3 } }, usage: 'provider' })
  })

  test('are committed to as they were sent, and reach the provider in a form of our own', async () => {
    answerWith(verbose)
    const boundary = 'AKIAQ3EGUZ5TXPJ7NK4D'
    const head = (name: string, more = '') =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}`
    const sent = Buffer.concat([
      Buffer.from(`${head('model')}\r\nContent-Type: text/plain-${boundary}\r\n\r\nwhisper-1\r\n`),
      Buffer.from(`${head('file', '; filename="a.wav"')}\r\nContent-Type: audio/wav\r\n\r\n`),
      wav(1),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
    const response = await fetch(`${gateway.service.address}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.service.managerKey}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: sent,
    })
    expect(response.status).toBe(200)
    const receipt = await gateway.receiptOf(response)
    expect(receipt.request).toBe(commitmentTo(receipt, sent))
    const { headers = {}, raw = Buffer.alloc(0) } = seen() ?? {}
    expect(raw.includes(wav(1))).toBe(true)
    expect(`${raw.toString('latin1')}${JSON.stringify(headers)}`).not.toContain(boundary)
  })

  test('of an alias ask for the model, and keep every other byte', async () => {
    answerWith(verbose)
    await client.audio.transcriptions.create({ file: await recording(), model: 'ear', prompt: 'Tally' })
    const raw = seen()?.raw ?? Buffer.alloc(0)
    const text = raw.toString('latin1')
    expect(text).toContain('name="model"\r\n\r\nwhisper-1\r\n')
    expect(text).toContain('name="prompt"\r\n\r\nTally\r\n')
    expect(raw.includes(wav(3))).toBe(true)
  })

  test.each(['text', 'srt', 'vtt'] as const)('as %s arrive as they are, and are judged', async (format) => {
    const answer = '1\n00:00:00,000 --> 00:00:02,000\nWrite to ann@example.com, please.\n'
    answerBytes('text/plain; charset=utf-8', answer)
    const request = { file: await recording(), model: 'whisper-1', response_format: format }
    const { response } = await client.audio.transcriptions.create(request).withResponse()
    expect(await gateway.receiptOf(response)).toMatchObject({ costNanos: 300_000, usage: 'reserved' })
    const plain = await client.audio.transcriptions.create(request)
    expect(plain).toBe(answer)
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, phase: 'output', action: 'redact' },
    ])
    const judged = String(await clientWith(key).audio.transcriptions.create(request))
    expect(judged).toMatch(/^1\n00:00:00,000 --> 00:00:02,000\nWrite to .+, please\.\n$/)
    expect(judged).not.toContain('ann@example.com')
    const { key: strict } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, phase: 'output', action: 'block' },
    ])
    await expect(clientWith(strict).audio.transcriptions.create(request)).rejects.toMatchObject({
      status: 403,
    })
  })

  const deltas = ['Write to ann', '@example', '.com now']
  const streamTranscript = () =>
    gateway.upstream.answerWith((_, response) => {
      const write = startEvents(response)
      for (const delta of deltas) write({ type: 'transcript.text.delta', delta })
      const usage = {
        type: 'tokens',
        input_tokens: 30,
        input_token_details: { text_tokens: 0, audio_tokens: 30 },
        output_tokens: 10,
        total_tokens: 40,
      }
      write({ type: 'transcript.text.done', text: deltas.join(''), usage })
      response.end()
    })

  test('are streamed, and paid by tokens', async () => {
    streamTranscript()
    const { data, response } = await client.audio.transcriptions
      .create({ file: await recording(), model: 'gpt-4o-transcribe', stream: true })
      .withResponse()
    const events = await collect(data)
    expect(events.map(({ type }) => type)).toEqual([
      ...deltas.map(() => 'transcript.text.delta'),
      'transcript.text.done',
    ])
    expect(await gateway.receiptOf(response)).toMatchObject({
      stream: true,
      inputTokens: 30,
      outputTokens: 10,
      // 30 of audio at 6 USD, 10 at 10 USD per million.
      costNanos: 280_000,
    })
  })

  test('are judged while they are streamed', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, phase: 'output', action: 'redact' },
    ])
    streamTranscript()
    const events = await collect(
      await clientWith(key).audio.transcriptions.create({
        file: await recording(),
        model: 'gpt-4o-transcribe',
        stream: true,
      }),
    )
    expect(JSON.stringify(events)).not.toContain('@example')
    expect(events.at(-1)?.type).toBe('transcript.text.done')
  })

  test('of a recording whose length nobody can tell are refused under a budget, and only there', async () => {
    answerWith(verbose)
    const unknown = () => toFile(Buffer.from('fLaC and whatever follows it'), 'a.flac')
    const key = await budgetedKey(100)
    const request = { file: await unknown(), model: 'whisper-1' }
    await expect(clientWith(key).audio.transcriptions.create(request)).rejects.toMatchObject({ status: 400 })
    expect(gateway.upstream.seen).toEqual([])
    expect((await client.audio.transcriptions.create({ ...request, file: await unknown() })).text).toBe(
      'Hello',
    )
  })

  test('stay within a budget, however many ask at once', async () => {
    answerWith({ text: 'Hello' })
    // Twice 100 seconds.
    const key = await budgetedKey(0.02)
    const file = await recording(100)
    const governed = clientWith(key)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => governed.audio.transcriptions.create({ file, model: 'whisper-1' })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(gateway.upstream.seen).toHaveLength(2)
  })

  test('are judged in every field, in the name of the file and in what it says', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall7'] }, phase: 'input', action: 'block' },
    ])
    const governed = clientWith(key)
    const file = await recording()
    const base = { file, model: 'whisper-1' }
    const said = Buffer.from('The word is nightfall7, and nobody says it. '.repeat(10))
    const requests = [
      { ...base, prompt: 'the word is nightfall7' },
      { ...base, language: 'nightfall7' },
      { ...base, user: 'nightfall7' },
      { ...base, 'timestamp_granularities[]': ['nightfall7'] },
      { ...base, file: await toFile(wav(1), 'nightfall7.wav') },
      { ...base, file: await toFile(said, 'a.wav') },
      { ...base, file: await toFile(wav(1), 'a.wav', { type: 'audio/nightfall7' }) },
    ]
    for (const request of requests) {
      const outcome = await governed.audio.transcriptions.create(request).catch((error: unknown) => error)
      expect(outcome, JSON.stringify(Object.keys(request))).toBeInstanceOf(OpenAI.APIError)
    }
    expect(gateway.upstream.seen).toEqual([])
    answerWith(verbose)
    await governed.audio.transcriptions.create(base)
    expect(gateway.upstream.seen).toHaveLength(1)
  })

  test('redacted fields are spliced into the form', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'] }, phase: 'input', action: 'redact' },
    ])
    answerWith(verbose)
    await clientWith(key).audio.transcriptions.create({
      file: await toFile(wav(2), 'ann@example.com'),
      model: 'whisper-1',
      prompt: 'Ask ann@example.com',
    })
    const raw = seen()?.raw ?? Buffer.alloc(0)
    expect(raw.includes('ann@example.com')).toBe(false)
    expect(raw.toString('latin1')).toMatch(/name="prompt"\r\n\r\nAsk .+\r\n/)
    expect(raw.includes(wav(2))).toBe(true)
  })

  test('as JSON are refused, and so is a form where JSON belongs', async () => {
    const json = await gateway.send('/v1/audio/transcriptions', { model: 'whisper-1' })
    expect(json.status).toBe(415)
    const form = new FormData()
    form.set('model', 'gpt-4o')
    const chat = await fetch(`${gateway.service.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.service.managerKey}` },
      body: form,
    })
    expect(chat.status).toBe(415)
  })
})

test('translations are paid like transcriptions', async () => {
  answerWith({ text: 'Hello' })
  const { data, response } = await client.audio.translations
    .create({ file: await recording(), model: 'whisper-1' })
    .withResponse()
  expect(data.text).toBe('Hello')
  expect(seen()?.path).toBe('/v1/audio/translations')
  expect(await gateway.receiptOf(response)).toMatchObject({ costNanos: 300_000 })
})

describe('edited images', () => {
  const image = () => toFile(pixel, 'stick.png', { type: 'image/png' })

  test('are paid by the image', async () => {
    answerWith({ created: 1, data: [{ b64_json: 'iVBORw0KGgo=' }, { b64_json: 'iVBORw0KGgo=' }] })
    const { response } = await client.images
      .edit({ model: 'dall-e-2', image: await image(), prompt: 'A tally stick', n: 2, size: '512x512' })
      .withResponse()
    expect(seen()?.path).toBe('/v1/images/edits')
    expect(seen()?.raw.includes(pixel)).toBe(true)
    expect(await gateway.receiptOf(response)).toMatchObject({
      costNanos: 36_000_000,
      counts: { tools: { 'image.standard.512x512': 2 } },
    })
  })

  test('of several images are paid by tokens, within what was reserved', async () => {
    const usage = { input_tokens: 500, output_tokens: 4_160, total_tokens: 4_660 }
    answerWith({ created: 1, data: [{ b64_json: 'iVBORw0KGgo=' }], usage })
    const { response } = await client.images
      .edit({ model: 'gpt-image-1', image: [await image(), await image()], prompt: 'Both' })
      .withResponse()
    expect(await gateway.receiptOf(response)).toMatchObject({ costNanos: 171_400_000, usage: 'provider' })
  })

  test('are variations, too', async () => {
    answerWith({ created: 1, data: [{ url: 'https://a.example/i.png' }] })
    const { response } = await client.images
      .createVariation({ model: 'dall-e-2', image: await image() })
      .withResponse()
    expect(seen()?.path).toBe('/v1/images/variations')
    expect(await gateway.receiptOf(response)).toMatchObject({ costNanos: 20_000_000 })
  })
})
