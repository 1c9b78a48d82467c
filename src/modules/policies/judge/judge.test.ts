import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { CompiledPolicy } from '../compile-set.js'
import { createKeywordFinder } from '../kinds/keyword-finder.js'
import { pattern } from '../kinds/pattern.js'
import { pii } from '../kinds/pii.js'
import { Channel } from './channel.js'
import { CheckSheet } from './check-sheet.js'
import { readJsonText, writeJsonText } from './json-text.js'
import { judgeTexts } from './judge-texts.js'
import { createTurns, Pace } from './pace.js'
import { applyEdits, Redactions } from './redactions.js'

const policy = (judge: CompiledPolicy['judge'], action: CompiledPolicy['action']): CompiledPolicy => ({
  id: 'pol_1',
  version: 1,
  name: 'Test',
  kind: 'pii',
  phase: 'both',
  action,
  reference: 'pol_1@1',
  judge,
})
const emails = () => policy(pii.compile({ entities: ['email'] }), 'redact')
const words = () =>
  policy({ looksAt: 'text', finders: [createKeywordFinder(['night fall'], false)], restore: false }, 'redact')

const judgingOf = (policies: CompiledPolicy[]) => ({
  sheet: new CheckSheet(policies),
  redactions: new Redactions(),
  pace: new Pace(createTurns()),
})

async function redactWhole(text: string, policies: CompiledPolicy[], json: boolean): Promise<string> {
  const edits = await judgeTexts(policies, [{ text, json }], judgingOf(policies))
  return applyEdits(text, edits.get(0) ?? [])
}

/** As the gateway does: piece by piece, each released as soon as it may be. */
async function redactPieces(
  pieces: string[],
  policies: CompiledPolicy[],
  json: boolean,
): Promise<{ said: string; mostHeld: number }> {
  const judging = judgingOf(policies)
  const channel = new Channel({ policies, judging, json, holdBackChars: 64, holds: true })
  const waiting: { from: number; to: number }[] = []
  let said = ''
  let mostHeld = 0
  const release = () => {
    for (let [head] = waiting; head && head.to <= channel.cleared; [head] = waiting) {
      said += channel.read(head.from, head.to) ?? pieces.join('').slice(head.from, head.to)
      waiting.shift()
      channel.trim(head.to)
    }
    mostHeld = Math.max(mostHeld, channel.length - channel.cleared)
  }
  for (const piece of pieces) {
    const from = channel.length
    channel.append(piece)
    waiting.push({ from, to: channel.length })
    await channel.settle()
    release()
  }
  channel.end()
  await channel.settle()
  release()
  return { said, mostHeld }
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
        const { said, mostHeld } = await redactPieces(pieces, policies, false)
        // Which number a placeholder has may differ: a stream does not know yet what the text will use itself.
        const anyNumber = (redacted: string) => redacted.replace(/\[([A-Z]+)_\d+\]/g, '[$1]')
        expect(anyNumber(said)).toBe(anyNumber(await redactWhole(text, policies, false)))
        expect(mostHeld).toBeLessThanOrEqual(64 * 4 + 40)
      }),
      { numRuns: 300 },
    )
  })

  test('has one placeholder for a match that is longer than what is looked at in one go', async () => {
    const judge = pattern.compile({ patterns: [{ name: 'digits', regex: '[0-9]+' }] })
    for (const first of [10, 1_000, 3_900, 4_100, 5_000]) {
      const pieces = [`abc ${'1'.repeat(first)}`, `${'1'.repeat(5_100 - first)} def`]
      const { said } = await redactPieces(pieces, [policy(judge, 'redact')], false)
      expect(said).toBe('abc [DIGITS_1] def')
    }
  })

  test('that is JSON is redacted where its escapes hide something', async () => {
    const text = '{"to":"jane\\u0040example.com","and":"night\\nfall"}'
    for (const size of [1, 3, 100]) {
      const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
      const { said } = await redactPieces(pieces, [emails(), words()], true)
      expect(JSON.parse(said)).toEqual({ to: '[EMAIL_1]', and: '[KEYWORD_1]' })
    }
  })
})

describe('JSON within a text', () => {
  test('is read as it would be parsed, each character with its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (said) => {
        const written = writeJsonText(said)
        const { text, positions } = readJsonText(written)
        expect(text).toBe(said)
        for (let at = 0; at < text.length; at++) {
          const [start, end] = positions ? [positions[at], positions[at + 1]] : [at, at + 1]
          expect(JSON.parse(`"${written.slice(start, end)}"`)).toBe(text[at])
        }
      }),
    )
  })

  test('that is none, or cut off, stands for itself', () => {
    for (const written of ['\\', 'a\\', '\\u12', '\\uXYZW', '\\q', 'C:\\dir'])
      expect(readJsonText(written).text).toBe(written)
  })
})

test('long work lets others have a turn, one piece at a time for all of it', async () => {
  const takeTurn = createTurns()
  const order: string[] = []
  const work = async (name: string) => {
    for (let piece = 0; piece < 3; piece++) {
      await takeTurn()
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

test('a policy that takes too long counts as failed, and takes nothing from the time of the others', async () => {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const slow: CompiledPolicy = policy(
    {
      looksAt: 'text',
      finders: [
        {
          atOnce: 10,
          stride: 10,
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
  const judging = judgingOf(policies)
  const texts = [
    { text: 'x'.repeat(100), json: false },
    { text: 'jane@example.com', json: false },
  ]
  const edits = await judgeTexts(policies, texts, judging)
  clock.mockRestore()
  expect(judging.sheet.checks().map(({ result }) => result)).toEqual(['error', 'fail'])
  expect(judging.sheet.refusal()?.message).toContain('could not be evaluated')
  expect(edits.get(1)).toHaveLength(1)
})
