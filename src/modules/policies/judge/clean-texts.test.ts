import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type CompiledPolicy, sortPolicies } from '../compile-set.js'
import type { Judge } from '../kinds/judge.js'
import { createKeywordFinder } from '../kinds/keyword-finder.js'
import { createPatternFinder } from '../kinds/pattern-finder.js'
import { pii } from '../kinds/pii.js'
import { secrets } from '../kinds/secrets.js'
import { CheckSheet } from './check-sheet.js'
import { areClean } from './clean-texts.js'
import { writeJsonText } from './json-text.js'
import { judgeTexts } from './judge-texts.js'
import { createTurns, Pace } from './pace.js'
import { Redactions } from './redactions.js'
import type { JudgedText } from './scan.js'

type TextJudge = Extract<Judge, { looksAt: 'text' }>

const policy = (number: number, judge: Judge, action: CompiledPolicy['action']): CompiledPolicy => ({
  id: `pol_${number}`,
  version: 1,
  name: 'Test',
  kind: 'pii',
  phase: 'both',
  action,
  reference: `pol_${number}@1`,
  judge,
})
const looking = (...finders: TextJudge['finders']): TextJudge => ({
  looksAt: 'text',
  finders,
  restore: false,
})

const policies = [
  policy(1, pii.compile({ entities: ['email', 'credit_card'] }), 'redact'),
  policy(2, pii.compile({ entities: ['phone'] }), 'flag'),
  policy(3, secrets.compile({}), 'block'),
  policy(4, looking(createKeywordFinder(['night fall'], false)), 'redact'),
  policy(
    5,
    looking(createPatternFinder('badge', '\\bEMP-[0-9]{3}\\b'), createPatternFinder('x', 'x+y')),
    'block',
  ),
]

const said = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.lorem({ maxCount: 8 }) },
      fc.constantFrom(
        'jane@example.com',
        'night  fall',
        'EMP-123',
        'xxy',
        '4111 1111 1111 1111',
        '+1 415 555 2671',
      ),
      fc.constantFrom('n\u200bight fall', 'ＥＭＰ-123', '[EMAIL_1]', `ghp_${'a1B2'.repeat(9)}`, '\\n', '"'),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(' '))

const text: fc.Arbitrary<JudgedText> = fc
  .record({ text: said, json: fc.boolean(), isEcho: fc.boolean() })
  .map(({ text, json, isEcho }) => ({ text: json ? writeJsonText(text) : text, json, isEcho }))

async function judge(texts: readonly JudgedText[]) {
  const sheet = new CheckSheet(policies)
  const judging = { sheet, redactions: new Redactions(), pace: new Pace(createTurns()) }
  const edits = await judgeTexts(policies, texts, judging)
  return { edits: [...edits], checks: sheet.checks(), refusal: sheet.refusal()?.message }
}

/** Too long to be looked at in one go, and nothing is in it. */
const long: JudgedText = { text: 'nothing to see here. '.repeat(1_000), json: false }

test('texts that are looked at in one go are judged as those that are not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 3 }), async (texts) => {
      expect(await judge(texts)).toEqual(await judge([...texts, long]))
    }),
    { numRuns: 500 },
  )
})

test('texts in which nobody finds anything are known to be clean, unless they are long', async () => {
  const short = { text: 'A tally stick was split in two.', json: false }
  const { finders } = sortPolicies(policies)
  expect(areClean([short], finders, new Pace(createTurns()))).toBe(true)
  expect(areClean([short, long], finders, new Pace(createTurns()))).toBe(false)
  for (const texts of [[short], [short, long]]) {
    const { edits, checks } = await judge(texts)
    expect(edits).toEqual([])
    expect(checks.map(({ result }) => result)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass'])
  }
})

test('a look that takes long is broken off, so that others get their turn', () => {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const find = vi.fn(() => {
    nowMs += 3
    return []
  })
  const finders = Array.from({ length: 10 }, () => ({ atOnce: 100, stride: 100, find }))
  const isClean = areClean([{ text: 'nothing', json: false }], finders, new Pace(createTurns()))
  clock.mockRestore()
  expect(isClean).toBe(false)
  expect(find).toHaveBeenCalledTimes(2)
})

test('a finder that fails leaves it to the look at each policy to say so', () => {
  const find = () => {
    throw new Error('a fault of its own')
  }
  const pace = new Pace(createTurns())
  expect(areClean([{ text: 'nothing', json: false }], [{ atOnce: 100, stride: 100, find }], pace)).toBe(false)
})
