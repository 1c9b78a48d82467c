import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEvents, say, spoken } from '../../harness/policies/dialect-texts.js'
import { fill, hostileUnits } from '../../harness/policies/hostile-texts.js'
import { sendJson } from '../../harness/providers/upstream.js'
import { chatAnswer } from '../../harness/providers/vendor-answers.js'
import { longestStallMs, scaledMs } from '../../harness/run/processor-time.js'
import { shuffled } from '../../harness/run/seed.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

// A megabyte of whatever hurts, through policies of every kind that reads text, with patterns made to be slow.

let gateway: TestGateway
/** Of calls that must be redacted, and of calls that meet patterns made to be slow. */
let key: string
let slowKey: string

const words = Array.from({ length: 100 }, (_, i) => `${'aaaa '.repeat(30)}${i}`)

beforeAll(async () => {
  gateway = await shareTestGateway()
  gateway.upstream.answerWith((_, response) => sendJson(response, 200, chatAnswer({ content: 'Fine.' })))
  const both = { phase: 'both', action: 'redact' }
  const governed = await createKeyWithPolicies(gateway, [
    {
      kind: 'pii',
      config: { entities: ['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'] },
      ...both,
    },
    { kind: 'secrets', ...both },
    { kind: 'keywords', config: { words: [...words, 'nightfall'] }, ...both },
  ])
  key = governed.key
  const slow = await createKeyWithPolicies(gateway, [
    ...['(a+)+$', '(.*a){12}b', '[ab].{200}z', '\\b(\\w+\\s?)*\\d$'].map((regex) => ({
      kind: 'pattern',
      config: { patterns: [{ name: 'bomb', regex }] },
      phase: 'both',
      action: 'flag',
    })),
    { kind: 'pii', config: { entities: ['email'] } },
  ])
  slowKey = slow.key
})
afterAll(() => gateway.stop())

/** Some of them, others in each run: all are judged without a gateway around, in policies-pieces. */
const samples = shuffled([
  'one letter',
  'almost addresses',
  'digits and dashes',
  'almost keys',
  'full-width text',
  'escapes',
]).slice(0, 3)

/**
 * The test's own client and server run on the same thread, the first round warms it up, and the machine may have been busy elsewhere:
 * the best of some rounds counts.
 */
async function expectNoStall(call: () => Promise<void>, boundMs: number): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  let bound = 0
  for (let round = 0; round < 10 && least >= bound; round++) {
    least = Math.min(least, await longestStallMs(call))
    bound = scaledMs(boundMs)
  }
  expect(least).toBeLessThan(bound)
}

describe('a megabyte of', () => {
  test.each(samples)('%s is answered, and stalls nobody', async (name) => {
    const content = fill(hostileUnits[name] ?? '', 1024 * 1024)
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] })
    const call = async () => {
      const response = await gateway.send('/v1/chat/completions', body, { key })
      await response.text()
      const receipt = await gateway.receiptOf(response)
      const results = receipt.checks?.slice(4).map(({ result }) => result)
      expect(results).not.toContain('skip')
      expect(results).not.toContain('error')
      expect(response.status).toBe(200)
    }
    await expectNoStall(call, 150)
  })

  test.each(['a', 'ab '])('"%s" under slow patterns stalls nobody', async (unit) => {
    const messages = [{ role: 'user', content: unit.repeat(100_000) }]
    const call = async () => {
      const response = await gateway.send(
        '/v1/chat/completions',
        { model: 'gpt-4o-mini', messages },
        { key: slowKey },
      )
      expect(response.status).toBe(200)
      const { checks } = await gateway.receiptOf(response)
      expect(checks?.at(-1)).toMatchObject({ name: 'pii', result: 'pass' })
    }
    await expectNoStall(call, 60)
  })

  test('nested arrays and objects is refused or read, whatever is in it', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      for (const depth of [400, 100_000]) {
        const nested = `${open.repeat(depth)}"jane@example.com"${close.repeat(depth)}`
        const body = `{"model":"gpt-4o-mini","messages":[{"role":"user","content":${nested}}]}`
        const response = await gateway.send('/v1/chat/completions', body, { key })
        expect(response.status).toBe(depth > 500 ? 400 : 200)
        if (response.status === 200)
          expect(gateway.upstream.seen.at(-1)?.raw.toString()).toContain('"[EMAIL_1]"')
      }
    }
  })

  test('tiny strings is answered', async () => {
    const content = Array.from({ length: 60_000 }, () => ({ type: 'text', text: 'a' }))
    const response = await gateway.send(
      '/v1/chat/completions',
      { model: 'gpt-4o-mini', messages: [{ role: 'user', content }] },
      { key },
    )
    expect(response.status).toBe(200)
  })

  test.each(['aaaa ', 'jane@example.com ', '\\u0041'])(
    '"%s" as an answer is judged, whole and streamed',
    async (unit) => {
      const text = unit.repeat(20_000)
      gateway.upstream.answerWith(say('chat', text, { pieceChars: 4_000 }))
      for (const stream of [false, true]) {
        const response = await gateway.send('/v1/chat/completions', spoken.chat.body({ stream }), { key })
        const answer = await response.text()
        const said = stream
          ? spoken.chat.readStream(readEvents(answer))
          : spoken.chat.readWhole(JSON.parse(answer))
        expect(said).toBe(text.replaceAll('jane@example.com', '[EMAIL_1]'))
      }
    },
  )
})

test('a stream under many slow policies stalls nobody', async () => {
  const policies = Array.from({ length: 40 }, (_, n) => ({
    kind: 'pattern',
    config: { patterns: [{ name: 'slow', regex: `[ab].{${150 + n}}[b-z]` }] },
    phase: 'output',
  }))
  const { key: slowest } = await createKeyWithPolicies(gateway, policies)
  const text = 'a'.repeat(700)
  gateway.upstream.answerWith(say('chat', text, { pieceChars: 350 }))
  const call = async () => {
    const body = spoken.chat.body({ stream: true })
    const response = await gateway.send('/v1/chat/completions', body, { key: slowest })
    expect(spoken.chat.readStream(readEvents(await response.text()))).toBe(text)
  }
  await expectNoStall(call, 60)
})

describe('what is seen through, and what is not', () => {
  const cases: [string, string, boolean][] = [
    ['zero-width characters', 'night\u200bfall', true],
    ['directional marks', '\u202dnight\u202cfall', true],
    ['soft hyphens', 'night\u00adfall', true],
    ['full-width letters', 'ｎｉｇｈｔｆａｌｌ', true],
    ['another case', 'NightFALL', true],
    ['JSON escapes', 'nightfall', true],
    ['letters of other scripts', 'nіghtfall', false],
    ['base64', Buffer.from('nightfall').toString('base64'), false],
    ['letters in between', 'n-i-g-h-t-f-a-l-l', false],
    ['reversed', 'llafthgin', false],
  ]
  test.each(cases)('%s', async (_, content, isCaught) => {
    const { key: blocked } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall'] } },
    ])
    gateway.upstream.answerWith((__, response) => sendJson(response, 200, chatAnswer({ content: 'Fine.' })))
    const escaped = [...content]
      .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
    const body = `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"${escaped}"}]}`
    const response = await gateway.send('/v1/chat/completions', body, { key: blocked })
    expect(response.status).toBe(isCaught ? 403 : 200)
  })

  test('a word that is split over two parts of a message is two words', async () => {
    const { key: blocked } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall'] } },
    ])
    const content = ['night', 'fall'].map((text) => ({ type: 'text', text }))
    const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content }] }
    expect((await gateway.send('/v1/chat/completions', body, { key: blocked })).status).toBe(200)
  })
})
