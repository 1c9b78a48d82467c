import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createSliceQueue } from '../../shared/slice-queue.js'
import { createKeywordFinder } from '../kinds/finders/keyword-finder.js'
import { createPatternFinder } from '../kinds/finders/pattern-finder.js'
import type { Judge, TextFinder } from '../kinds/judge.js'
import { pii } from '../kinds/pii.js'
import { secrets } from '../kinds/secrets.js'
import type { CompiledPolicy } from '../sets/compiled-policy.js'
import { PolicyGroup } from '../sets/policy-group.js'
import { createReceiptChecks } from '../sets/receipt-checks.js'
import { CheckResults } from './check-results.js'
import { encodeJsonText } from './decode/json-text.js'
import { Redactions } from './edit/redactions.js'
import { judgeTexts } from './judge-texts.js'
import type { JudgedText } from './judged-text.js'
import { isKnownClean } from './known-clean.js'
import { WorkTimer } from './work-timer.js'

type TextJudge = Extract<Judge, { subject: 'text' }>

const policy = (number: number, judge: Judge, action: CompiledPolicy['action']): CompiledPolicy => ({
  id: `pol_${number}`,
  version: 1,
  name: 'Test',
  kind: 'pii',
  phase: 'both',
  action,
  reference: `pol_${number}@1`,
  receiptChecks: createReceiptChecks({ kind: 'pii', reference: `pol_${number}@1`, action }),
  judge,
})
const judgeWith = (...finders: TextJudge['finders']): TextJudge => ({
  subject: 'text',
  finders,
  restore: false,
})

const policies = [
  policy(1, pii.compile({ entities: ['email', 'credit_card'] }), 'redact'),
  policy(2, pii.compile({ entities: ['phone'] }), 'flag'),
  policy(3, secrets.compile({}), 'block'),
  policy(4, judgeWith(createKeywordFinder(['night fall'], false)), 'redact'),
  policy(
    5,
    judgeWith(createPatternFinder('badge', '\\bEMP-[0-9]{3}\\b'), createPatternFinder('x', 'x+y')),
    'block',
  ),
]

const prose = fc
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
  .record({ text: prose, json: fc.boolean(), isEcho: fc.boolean() })
  .map(({ text, json, isEcho }) => ({ text: json ? encodeJsonText(text) : text, json, isEcho }))

/** Finds something in every text, so that none is known to be clean; none of it counts. */
const always: TextFinder = {
  maxWholeChars: 100,
  strideChars: 100,
  find: (_, from) => [{ start: from, end: from, entity: 'anything', placeholder: 'ANYTHING' }],
}
const unwanted = policy(6, { ...judgeWith(always), isWanted: () => false }, 'flag')

async function judge(texts: readonly JudgedText[], asked: readonly CompiledPolicy[]) {
  const results = new CheckResults(policies)
  const context = { results, redactions: new Redactions(), timer: new WorkTimer(createSliceQueue()) }
  const edits = await judgeTexts(new PolicyGroup(asked), texts, context)
  return { edits: [...edits], checks: results.checks(), refusal: results.refusal()?.message }
}

test('texts that are known to be clean are judged as if each policy were asked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 3 }), async (texts) => {
      expect(await judge(texts, policies)).toEqual(await judge(texts, [...policies, unwanted]))
    }),
  )
})

test('a text in which nothing is found is known to be clean, unless it is long', async () => {
  const short = { text: 'A tally stick was split in two.', json: false }
  const long = { text: 'nothing to see here. '.repeat(1_000), json: false }
  const { finders } = new PolicyGroup(policies)
  // Within its time slice, whatever else the machine does.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const isClean = isKnownClean(short, finders, new WorkTimer(createSliceQueue()))
  clock.mockRestore()
  expect(isClean).toBe(true)
  expect(isKnownClean(long, finders, new WorkTimer(createSliceQueue()))).toBe(false)
  for (const texts of [[short], [short, long]]) {
    const { edits, checks } = await judge(texts, policies)
    expect(edits).toEqual([])
    expect(checks.map(({ result }) => result)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass'])
  }
})

test('if the time slice is over, each policy is asked, so that others get their turn', () => {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const find = vi.fn(() => {
    nowMs += 3
    return []
  })
  const finders = Array.from({ length: 10 }, () => ({ maxWholeChars: 100, strideChars: 100, find }))
  const isClean = isKnownClean({ text: 'nothing', json: false }, finders, new WorkTimer(createSliceQueue()))
  clock.mockRestore()
  expect(isClean).toBe(false)
  expect(find).toHaveBeenCalledTimes(2)
})

test('if a finder throws, each policy is asked, so that its own fails', () => {
  const find = () => {
    throw new Error('a fault of its own')
  }
  const timer = new WorkTimer(createSliceQueue())
  const finder = { maxWholeChars: 100, strideChars: 100, find }
  expect(isKnownClean({ text: 'nothing', json: false }, [finder], timer)).toBe(false)
})

test('many short texts yield to others, also if all are clean', async () => {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs++)
  let yields = 0
  const timer = new WorkTimer(async () => {
    yields++
  })
  const texts = Array.from({ length: 1_000 }, () => ({ text: 'nothing', json: false }))
  const context = { results: new CheckResults(policies), redactions: new Redactions(), timer }
  await judgeTexts(new PolicyGroup([policy(1, secrets.compile({}), 'block')]), texts, context)
  clock.mockRestore()
  expect(yields).toBeGreaterThan(100)
})
