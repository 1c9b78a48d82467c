import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cut, readEvents, say, spoken } from '../../harness/policies/dialect-texts.js'
import { sendJson, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { waitFor } from '../../harness/run/wait.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies, type KeyWithPolicies } from '../../harness/service/key-with-policies.js'

// The tenant's own guardrail: a server that the test scripts.

let gateway: TestGateway
let guardrail: Upstream

beforeAll(async () => {
  gateway = await shareTestGateway()
  guardrail = await startUpstream(() => undefined)
})
afterAll(async () => {
  await gateway.stop()
  await guardrail.close()
})
beforeEach(() => {
  guardrail.seen.length = 0
  gateway.upstream.answerWith(say('chat', 'The answer, then.'))
})

const hello = spoken.chat.body({ messages: [{ role: 'user', content: 'Mail jane@example.com' }] })

const govern = (fields: Record<string, unknown> = {}, config: Record<string, unknown> = {}) =>
  createKeyWithPolicies(gateway, [
    { kind: 'http', config: { url: `${guardrail.url}/check`, timeoutMs: 10_000, ...config }, ...fields },
  ])
const chat = ({ key }: KeyWithPolicies, fields: object = {}) =>
  gateway.send('/v1/chat/completions', { ...hello, ...fields }, { key })
const lastCheck = async (response: Response) => (await gateway.receiptOf(response)).checks?.at(-1)

describe('a guardrail service', () => {
  test('is asked with a signed request about what would be sent', async () => {
    guardrail.answerWith((_, response) => sendJson(response, 200, { violation: false }))
    const governed = await govern()
    const response = await chat(governed)
    expect(response.status).toBe(200)
    expect(await lastCheck(response)).toMatchObject({ name: 'http', result: 'pass' })

    const [asked] = guardrail.seen
    expect(asked?.path).toBe('/check')
    expect(asked?.body).toMatchObject({
      policy: { id: governed.policies[0]?.id, version: 1 },
      phase: 'input',
      final: true,
      dryRun: false,
      texts: ['Mail jane@example.com'],
      request: { id: response.headers.get('x-tallystick-request-id'), model: 'gpt-4o-mini', dialect: 'chat' },
      key: { id: governed.keyId, name: 'governed' },
      user: null,
    })
    const [, time, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(asked?.headers['x-tallystick-signature'])) ?? []
    const secret = governed.policies[0]?.secret ?? ''
    expect(secret).toMatch(/^whsec_/)
    expect(createHmac('sha256', secret).update(`${time}.${asked?.raw}`).digest('hex')).toBe(signature)
    expect(Math.abs(Number(time) - Date.now() / 1_000)).toBeLessThan(60)
  })

  test('blocks with its own words, and flags where it may only flag', async () => {
    guardrail.answerWith((_, response) =>
      sendJson(response, 200, { violation: true, reason: 'Not on Sundays' }),
    )
    const blocked = await chat(await govern())
    expect(blocked.status).toBe(403)
    expect(await blocked.json()).toMatchObject({
      error: { type: 'policy_violation', check: 'http', message: expect.stringContaining('Not on Sundays') },
    })
    const flagged = await chat(await govern({ action: 'flag' }))
    expect(flagged.status).toBe(200)
    expect(await lastCheck(flagged)).toMatchObject({ result: 'fail', action: 'flag' })
  })

  test('sees what other policies have taken out as a placeholder, and nothing that is blocked anyway', async () => {
    guardrail.answerWith((_, response) => sendJson(response, 200, { violation: false }))
    const service = { kind: 'http', config: { url: guardrail.url, timeoutMs: 10_000 } }
    const redacted = await createKeyWithPolicies(gateway, [
      service,
      { kind: 'pii', config: { entities: ['email'] }, action: 'redact' },
    ])
    expect((await chat(redacted)).status).toBe(200)
    expect(guardrail.seen[0]?.body.texts).toEqual(['Mail [EMAIL_1]'])
    const blocked = await createKeyWithPolicies(gateway, [
      service,
      { kind: 'pii', config: { entities: ['email'] } },
    ])
    const response = await chat(blocked)
    expect(response.status).toBe(403)
    expect(guardrail.seen).toHaveLength(1)
    expect((await gateway.receiptOf(response)).checks?.at(-2)).toMatchObject({
      applicable: false,
      result: 'skip',
    })
  })

  type Script = Parameters<Upstream['answerWith']>[0]
  const status =
    (code: number): Script =>
    (_, response) =>
      sendJson(response, code, { violation: false })
  const failures: [string, Script][] = [
    ['answers 500', status(500)],
    ['answers 503', status(503)],
    ['answers 429', status(429)],
    ['hangs up', (_, response) => void response.destroy()],
    ['is too slow', () => undefined],
    ['drips', (_, response) => void response.writeHead(200).write('{')],
  ]
  test.each(failures)('that %s blocks, or does not, as the policy says', async (_, script) => {
    guardrail.answerWith(script)
    const closed = await chat(await govern({}, { timeoutMs: 100 }))
    expect(closed.status).toBe(403)
    expect(await lastCheck(closed)).toMatchObject({ result: 'error', action: 'block' })
    const open = await chat(await govern({}, { timeoutMs: 100, onError: 'allow' }))
    expect(open.status).toBe(200)
    const check = await lastCheck(open)
    expect(check).toMatchObject({ name: 'http', applicable: true, result: 'error' })
    expect(check).not.toHaveProperty('action')
  })

  test.each(failures)('that %s on a large text blocks: the text may be why', async (_, script) => {
    guardrail.answerWith(script)
    const messages = [{ role: 'user', content: 'word '.repeat(14_000) }]
    const open = await chat(await govern({}, { timeoutMs: 100, onError: 'allow' }), { messages })
    expect(open.status).toBe(403)
    expect(await lastCheck(open)).toMatchObject({ result: 'error', action: 'block' })
  })

  test.each([
    ['half a surrogate pair', '\ud800'],
    ['a control character', '\0'],
    ['what is no character', '\uffff'],
  ])('that fails on %s blocks: the caller may be why', async (_, unusual) => {
    guardrail.answerWith(status(500))
    const messages = [{ role: 'user', content: `Fine. ${unusual}` }]
    const open = await chat(await govern({}, { onError: 'allow' }), { messages })
    expect(open.status).toBe(403)
    expect(await lastCheck(open)).toMatchObject({ result: 'error', action: 'block' })
  })

  const refusals: [string, Script][] = [
    ...[400, 401, 404, 413, 422, 431].map((code): [string, Script] => [`answers ${code}`, status(code)]),
    ['redirects', (_, response) => void response.writeHead(302, { location: 'https://example.com' }).end()],
    ['answers something else', (_, response) => sendJson(response, 200, { ok: true })],
    ['answers with a verdict that is none', (_, response) => sendJson(response, 200, { violation: 'no' })],
    ['answers no JSON', (_, response) => void response.writeHead(200).end('fine')],
    [
      'says too much',
      (_, response) => sendJson(response, 200, { violation: false, more: 'x'.repeat(100_000) }),
    ],
  ]
  test.each(refusals)('that %s blocks whatever the policy says: the caller may be why', async (_, script) => {
    guardrail.answerWith(script)
    const open = await chat(await govern({}, { onError: 'allow' }))
    expect(open.status).toBe(403)
    expect(await lastCheck(open)).toMatchObject({ result: 'error', action: 'block' })
    const flagged = await chat(await govern({ action: 'flag' }, { onError: 'allow' }))
    expect(flagged.status).toBe(200)
  })

  test('judges answers', async () => {
    guardrail.answerWith(({ body }, response) =>
      sendJson(response, 200, { violation: body.texts.join(' ').includes('then') }),
    )
    const response = await chat(await govern({ phase: 'output' }))
    expect(response.status).toBe(403)
    expect(guardrail.seen.map(({ body }) => [body.phase, body.texts])).toEqual([
      ['output', ['The answer, then.']],
    ])
  })

  test('judges streams in pieces, before they are seen, and is not asked twice about the same words', async () => {
    const answer = Array.from({ length: 400 }, (_, i) => `word ${i}, `).join('')
    guardrail.answerWith((_, response) => sendJson(response, 200, { violation: false }))
    const governed = await govern({ phase: 'output' })
    for (const dialect of ['chat', 'responses'] as const) {
      guardrail.seen.length = 0
      gateway.upstream.answerWith(async (_, response) => {
        const events = spoken[dialect].stream(cut(answer, 20)).split(/(?<=\n\n)/)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(events.slice(0, 120).join(''))
        await waitFor('the first question', () => guardrail.seen.length > 0)
        response.end(events.slice(120).join(''))
      })
      const { path, body, readStream } = spoken[dialect]
      const response = await gateway.send(path, body({ stream: true }), { key: governed.key })
      expect(readStream(readEvents(await response.text()))).toBe(answer)
      const texts = guardrail.seen.map((asked) => asked.body.texts.join(''))
      expect(texts.length).toBeGreaterThan(1)
      expect(texts.length).toBeLessThan(10)
      // Each piece comes with a little of what stood before it; nothing is left out.
      let heard = ''
      for (const text of texts) {
        let overlap = Math.min(heard.length, text.length)
        while (!heard.endsWith(text.slice(0, overlap))) overlap--
        heard += text.slice(overlap)
      }
      expect(heard).toBe(answer)
      expect(guardrail.seen.at(-1)?.body.final).toBe(true)
    }

    guardrail.answerWith(({ body }, response) =>
      sendJson(response, 200, { violation: body.texts.join('').includes('forbidden') }),
    )
    gateway.upstream.answerWith(
      say('chat', `${answer}forbidden ${answer}`, { pieceChars: 20, packetBytes: 4_000 }),
    )
    const response = await gateway.send(
      '/v1/chat/completions',
      { ...hello, stream: true },
      { key: governed.key },
    )
    const text = await response.text()
    expect(text).not.toContain('forbidden')
    expect(text).toContain('policy_violation')
  })
})

test.each<[string, object]>([
  ['too long', { messages: [{ role: 'user', content: 'word '.repeat(300_000) }] }],
  ['too long as it is sent', { messages: [{ role: 'user', content: '\u0001'.repeat(900_000) }] }],
  [
    'too many tools',
    { tools: Array.from({ length: 400 }, (_, i) => ({ name: `${i}${'x'.repeat(12_000)}` })) },
  ],
])(
  'what is %s for a service is not judged in half, and blocks whatever the policy says',
  async (_, fields) => {
    guardrail.answerWith((_, response) => sendJson(response, 200, { violation: false }))
    for (const onError of ['block', 'allow']) {
      const response = await chat(await govern({}, { onError }), fields)
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({
        error: { message: expect.stringContaining('longer than') },
      })
      expect(guardrail.seen).toHaveLength(0)
      expect(await lastCheck(response)).toMatchObject({ result: 'error', action: 'block' })
    }
  },
)

test('input that is numbers of tokens blocks whatever the policy says', async () => {
  const { key } = await govern({}, { onError: 'allow' })
  const body = { model: 'text-embedding-3-small', input: [[1, 2, 3]] }
  const response = await gateway.send('/v1/embeddings', body, { key })
  expect(response.status).toBe(403)
  expect(guardrail.seen).toHaveLength(0)
})
