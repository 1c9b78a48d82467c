import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../harness/gateway.js'
import { type GovernedKey, makeGovernedKey } from '../harness/governed-key.js'
import { cut, readEvents, say, spoken } from '../harness/said.js'
import { sendJson, startUpstream, type Upstream } from '../harness/upstream.js'
import { waitFor } from '../harness/wait.js'

// The tenant's own guardrail: a server that the test scripts.

let gateway: TestGateway
let guardrail: Upstream

beforeAll(async () => {
  gateway = await startTestGateway()
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
  makeGovernedKey(gateway, [
    { kind: 'http', config: { url: `${guardrail.url}/check`, timeoutMs: 2_000, ...config }, ...fields },
  ])
const chat = ({ key }: GovernedKey, fields: object = {}) =>
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
    const service = { kind: 'http', config: { url: guardrail.url } }
    const redacted = await makeGovernedKey(gateway, [
      service,
      { kind: 'pii', config: { entities: ['email'] }, action: 'redact' },
    ])
    expect((await chat(redacted)).status).toBe(200)
    expect(guardrail.seen[0]?.body.texts).toEqual(['Mail [EMAIL_1]'])
    const blocked = await makeGovernedKey(gateway, [
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

  const faults: [string, Parameters<Upstream['answerWith']>[0]][] = [
    ['answers 500', (_, response) => sendJson(response, 500, { violation: false })],
    ['answers something else', (_, response) => sendJson(response, 200, { ok: true })],
    ['answers with a verdict that is none', (_, response) => sendJson(response, 200, { violation: 'no' })],
    ['answers no JSON', (_, response) => void response.writeHead(200).end('fine')],
    ['redirects', (_, response) => void response.writeHead(302, { location: 'https://example.com' }).end()],
    ['hangs up', (_, response) => void response.destroy()],
    ['is too slow', () => undefined],
    ['drips', (_, response) => void response.writeHead(200).write('{')],
    [
      'says too much',
      (_, response) => sendJson(response, 200, { violation: false, more: 'x'.repeat(100_000) }),
    ],
  ]
  test.each(faults)('that %s blocks, or does not, as the policy says', async (_, script) => {
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

test('a text that is too long for a service is not judged in half', async () => {
  guardrail.answerWith((_, response) => sendJson(response, 200, { violation: false }))
  const content = 'word '.repeat(300_000)
  const response = await chat(await govern(), { messages: [{ role: 'user', content }] })
  expect(response.status).toBe(403)
  expect(guardrail.seen).toHaveLength(0)
  expect(await lastCheck(response)).toMatchObject({ result: 'error', action: 'block' })
})
