import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createSliceQueue } from '../../shared/slice-queue.js'
import { createKeywordFinder } from '../kinds/finders/keyword-finder.js'
import { pattern } from '../kinds/pattern.js'
import { pii } from '../kinds/pii.js'
import type { CompiledPolicy } from '../sets/compiled-policy.js'
import { PolicyGroup } from '../sets/policy-group.js'
import { createReceiptChecks } from '../sets/receipt-checks.js'
import { CheckResults } from './check-results.js'
import { decodeJsonText, encodeJsonText } from './decode/json-text.js'
import { applyEdits } from './edit/edits.js'
import { Redactions } from './edit/redactions.js'
import { judgeTexts } from './judge-texts.js'
import { StreamedText } from './streamed-text.js'
import { WorkTimer } from './work-timer.js'

const policy = (judge: CompiledPolicy['judge'], action: CompiledPolicy['action']): CompiledPolicy => ({
  id: 'pol_1',
  version: 1,
  name: 'Test',
  kind: 'pii',
  phase: 'both',
  action,
  reference: 'pol_1@1',
  receiptChecks: createReceiptChecks({ kind: 'pii', reference: 'pol_1@1', action }),
  judge,
})
const emails = () => policy(pii.compile({ entities: ['email'] }), 'redact')
const words = () =>
  policy({ subject: 'text', finders: [createKeywordFinder(['night fall'], false)], restore: false }, 'redact')

const contextFor = (policies: CompiledPolicy[]) => ({
  results: new CheckResults(policies),
  redactions: new Redactions(),
  timer: new WorkTimer(createSliceQueue()),
})

async function redactWhole(text: string, policies: CompiledPolicy[], json: boolean): Promise<string> {
  const edits = await judgeTexts(new PolicyGroup(policies), [{ text, json }], contextFor(policies))
  return applyEdits(text, edits.get(0) ?? [])
}

/** As the gateway does: piece by piece, each released as soon as it may be. */
async function redactPieces(
  pieces: string[],
  policies: CompiledPolicy[],
  json: boolean,
): Promise<{ released: string; maxHeld: number }> {
  const channel = new StreamedText({
    policies: new PolicyGroup(policies),
    context: contextFor(policies),
    json,
    holdBackChars: 64,
    holdsBack: true,
  })
  const waiting: { from: number; to: number }[] = []
  let released = ''
  let maxHeld = 0
  const release = () => {
    for (let [head] = waiting; head && head.to <= channel.cleared; [head] = waiting) {
      released += channel.read(head.from, head.to) ?? pieces.join('').slice(head.from, head.to)
      waiting.shift()
      channel.trim(head.to)
    }
    maxHeld = Math.max(maxHeld, channel.length - channel.cleared)
  }
  for (const piece of pieces) {
    const from = channel.length
    channel.append(piece)
    waiting.push({ from, to: channel.length })
    await channel.judge()
    release()
  }
  channel.end()
  await channel.judge()
  release()
  return { released, maxHeld }
}

const prose = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'jane@example.com',
        ' bob@example.org ',
        'night fall',
        ' night  fall ',
        '. ',
        '@',
        '[EMAIL_1]',
      ),
      fc.lorem({ maxCount: 12 }),
      fc.string({ maxLength: 10 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(' '))

describe('a text that comes in pieces', () => {
  test('is redacted as it is whole, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(prose, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), async (text, sizes) => {
        const pieces: string[] = []
        for (let at = 0; at < text.length; ) {
          const { value: size = 1 } = sizes.next()
          pieces.push(text.slice(at, at + size))
          at += size
        }
        const policies = [emails(), words()]
        const { released, maxHeld } = await redactPieces(pieces, policies, false)
        // Which number a placeholder has may differ: a stream does not know yet what the text will use itself.
        const anyNumber = (redacted: string) => redacted.replace(/\[([A-Z]+)_\d+\]/g, '[$1]')
        expect(anyNumber(released)).toBe(anyNumber(await redactWhole(text, policies, false)))
        expect(maxHeld).toBeLessThanOrEqual(64 * 4 + 40)
      }),
    )
  })

  test('has one placeholder for a match that is longer than one scan', async () => {
    const judge = pattern.compile({ patterns: [{ name: 'digits', regex: '[0-9]+' }] })
    for (const first of [10, 1_000, 3_900, 4_100, 5_000]) {
      const pieces = [`abc ${'1'.repeat(first)}`, `${'1'.repeat(5_100 - first)} def`]
      const { released } = await redactPieces(pieces, [policy(judge, 'redact')], false)
      expect(released).toBe('abc [DIGITS_1] def')
    }
  })

  test('that is JSON is redacted where its escapes hide something', async () => {
    const text = '{"to":"jane\\u0040example.com","and":"night\\nfall"}'
    for (const size of [1, 3, 100]) {
      const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
      const { released } = await redactPieces(pieces, [emails(), words()], true)
      expect(JSON.parse(released)).toEqual({ to: '[EMAIL_1]', and: '[KEYWORD_1]' })
    }
  })
})

describe('JSON within a text', () => {
  test('is decoded as it would be parsed, each character with its position', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (original) => {
        const encoded = encodeJsonText(original)
        const { text, positions } = decodeJsonText(encoded)
        expect(text).toBe(original)
        for (let at = 0; at < text.length; at++) {
          const [start, end] = positions ? [positions[at], positions[at + 1]] : [at, at + 1]
          expect(JSON.parse(`"${encoded.slice(start, end)}"`)).toBe(text[at])
        }
      }),
    )
  })

  test('that is not valid, or cut off, stands for itself', () => {
    for (const encoded of ['\\', 'a\\', '\\u12', '\\uXYZW', '\\q', 'C:\\dir'])
      expect(decodeJsonText(encoded).text).toBe(encoded)
  })
})

test('long work yields to others, one slice per turn for all of it', async () => {
  const yieldToEventLoop = createSliceQueue()
  const order: string[] = []
  const work = async (name: string) => {
    for (let piece = 0; piece < 3; piece++) {
      await yieldToEventLoop()
      order.push(name)
    }
  }
  let turns = 0
  const count = () => {
    turns++
    if (order.length < 6) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all([work('a'), work('b')])
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  expect(turns).toBeGreaterThanOrEqual(6)
})

test('a policy that takes too long fails, and the others keep their time', async () => {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const slow: CompiledPolicy = policy(
    {
      subject: 'text',
      finders: [
        {
          maxWholeChars: 10,
          strideChars: 10,
          find: () => {
            nowMs += 3_000
            return []
          },
        },
      ],
      restore: false,
    },
    'block',
  )
  const policies = [slow, emails()]
  const context = contextFor(policies)
  const texts = [
    { text: 'x'.repeat(100), json: false },
    { text: 'jane@example.com', json: false },
  ]
  const edits = await judgeTexts(new PolicyGroup(policies), texts, context)
  clock.mockRestore()
  expect(context.results.checks().map(({ result }) => result)).toEqual(['error', 'fail'])
  expect(context.results.refusal()?.message).toContain('could not be evaluated')
  expect(edits.get(1)).toHaveLength(1)
})
