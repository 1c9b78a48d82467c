import { expect, test } from 'vitest'
import { createSliceQueue } from '../../shared/slice-queue.js'
import { keywords } from '../kinds/keywords.js'
import { pattern } from '../kinds/pattern.js'
import { pii } from '../kinds/pii.js'
import { secrets } from '../kinds/secrets.js'
import type { CompiledPolicy } from '../sets/compiled-policy.js'
import { PolicyGroup } from '../sets/policy-group.js'
import { createReceiptChecks } from '../sets/receipt-checks.js'
import { CheckResults } from './check-results.js'
import { Redactions } from './edit/redactions.js'
import { judgeTexts } from './judge-texts.js'
import { WorkTimer } from './work-timer.js'

const block = (judge: CompiledPolicy['judge']): CompiledPolicy => ({
  ...{ id: 'pol_1', version: 1, name: 'Test', kind: 'pii', phase: 'both', action: 'block' },
  reference: 'pol_1@1',
  receiptChecks: createReceiptChecks({ kind: 'pii', reference: 'pol_1@1', action: 'block' }),
  judge,
})

async function isBlocked(text: string, policy: CompiledPolicy): Promise<boolean> {
  const results = new CheckResults([policy])
  const context = { results, redactions: new Redactions(), timer: new WorkTimer(createSliceQueue()) }
  await judgeTexts(new PolicyGroup([policy]), [{ text, json: false }], context)
  return results.refusal() !== null
}

const forbidden: [string, CompiledPolicy][] = [
  ['nightfall', block(keywords.compile({ words: ['nightfall'], caseSensitive: false, restore: false }))],
  ['EMP-123456', block(pattern.compile({ patterns: [{ name: 'p', regex: 'EMP-[0-9]{6}' }] }))],
  ['4111111111111111', block(pii.compile({ entities: ['credit_card'] }))],
  ['536-22-8726', block(pii.compile({ entities: ['us_ssn'] }))],
  ['AKIAQ3EGUZ5TXPJ7NK4D', block(secrets.compile({}))],
]

/** All that is shown as nothing, one of each hundred of the many variation selectors and tags. */
const invisible = Array.from({ length: 0x110000 }, (_, point) => point)
  .filter((point) => (point < 0xd800 || point > 0xdfff) && (point < 0xe0000 || point % 100 === 0))
  .map((point) => String.fromCodePoint(point))
  .filter(
    (character) =>
      /\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|[^\P{Cc}\s\x85]/u.test(character) ||
      /[\u2800\ufff9-\ufffb\u{13430}-\u{1343f}]/u.test(character),
  )

test('what is shown as nothing hides nothing, at any place, alone or in a row', async () => {
  expect(invisible.length).toBeGreaterThan(200)
  for (const character of invisible)
    for (const [value, policy] of forbidden)
      for (const hidden of [
        value.slice(0, 3) + character + value.slice(3),
        value.slice(0, -2) + character.repeat(4) + value.slice(-2),
        [...value].join(character),
        `${character}${value}${character}`,
        // A mark belongs to the letter before it.
        ...(/^\d/.test(value) ? [`${value}${character}${value}`] : []),
      ])
        expect(await isBlocked(`See ${hidden}.`, policy), JSON.stringify(hidden)).toBe(true)
})

test('spaces and line ends between letters are no part of a word', async () => {
  const [words] = forbidden
  for (const space of ['\t', '\n', '\v', '\f', '\r', ' ', '\u00a0', '\u2028'])
    expect(await isBlocked(`night${space}fall`, words?.[1] ?? block({ subject: 'none' }))).toBe(false)
})
