import { expect, test } from 'vitest'
import { entryOutcomes } from '../../../../record/src/format/entry.js'
import { addTally, type EntryFields, emptyTally, tallyEntry } from './tally.js'

const tallyOf = (...entries: EntryFields[]) => {
  const tally = emptyTally()
  for (const entry of entries) tallyEntry(tally, entry, true)
  return tally
}

const check = (name: string, result: string, more: object = {}) => ({
  name,
  applicable: result !== 'skip',
  result,
  ...more,
})

test('a check that did not apply is not counted, and one that failed has come to a verdict', () => {
  const { checks } = tallyOf(
    { kind: 'model', checks: [check('budget', 'pass'), check('user_status', 'skip')] },
    { kind: 'model', checks: [check('budget', 'fail', { action: 'block' })] },
  )
  expect([...checks]).toEqual([['budget', { applicable: 2, finished: 2 }]])
})

test('several policies of one kind are one check, finished when all that applied are', () => {
  const { checks } = tallyOf(
    { kind: 'model', checks: [check('pii', 'pass'), check('pii', 'error'), check('pii', 'skip')] },
    { kind: 'model', checks: [check('pii', 'pass'), check('pii', 'pass')] },
    // It applied, but the call was over before it was asked.
    { kind: 'model', checks: [{ name: 'pii', applicable: true, result: 'skip' }] },
  )
  expect(checks.get('pii')).toEqual({ applicable: 3, finished: 1 })
})

test('a receipt counts as evaluated by policy when a check of a policy came to a verdict', () => {
  const policy = 'pol_1@3'
  const { policyEvaluated } = tallyOf(
    { kind: 'model', checks: [check('budget', 'pass')] },
    { kind: 'model', checks: [check('pii', 'error', { policy })] },
    { kind: 'model', checks: [check('pii', 'pass', { policy }), check('secrets', 'fail', { policy })] },
  )
  expect(policyEvaluated).toBe(1)
})

test('what was blocked or redacted is an enforcement action, and a failure of a provider or of this service is none', () => {
  const tally = tallyOf(...entryOutcomes.map((outcome) => ({ kind: 'model', outcome })), { kind: 'control' })
  expect(tally).toMatchObject({
    entries: entryOutcomes.length + 1,
    modelReceipts: entryOutcomes.length,
    toolReceipts: 0,
    enforcementActions: 2,
    upstreamFailures: 1,
  })
})

test('a receipt is unlinkable when it has a commitment and no key to it', () => {
  const tally = emptyTally()
  tallyEntry(tally, { kind: 'model', request: 'ab' }, false)
  tallyEntry(tally, { kind: 'model', request: 'ab' }, true)
  tallyEntry(tally, { kind: 'control' }, false)
  expect(tally.unlinkable).toBe(1)
})

test('an entry with fields of the wrong kind adds nothing, and breaks nothing', () => {
  const tally = tallyOf(
    { checks: 'all', packs: { a: 1 } },
    { checks: [null, 1, {}, { name: 2 }], packs: [3] },
  )
  expect(tally).toEqual({ ...emptyTally(), entries: 2 })
})

test('tallies of chunks add up to the tally of the whole', () => {
  const entries = [
    { kind: 'model', packs: ['a@1'], checks: [check('pii', 'pass', { policy: 'p@1' })] },
    { kind: 'tool', packs: ['b@1'], outcome: 'blocked', checks: [check('pii', 'error')] },
    { kind: 'model', outcome: 'upstream_error', checks: [check('tools', 'pass')] },
  ]
  const sum = emptyTally()
  for (const entry of entries) addTally(sum, tallyOf(entry))
  expect(sum).toEqual(tallyOf(...entries))
})
