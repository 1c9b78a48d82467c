import { expect, test } from 'vitest'
import { receiptOwner } from './receipt-owner.js'

test.each([
  [
    "its user's, whatever characters the id has",
    { key: 'key_1', kind: 'model', user: 'ann "the \\ first" é🍕\u0000' },
    String.raw`user:ann \"the \\ first\" é🍕\u0000`,
  ],
  ["its key's where it has no user", { key: 'key_1', kind: 'tool' }, 'key:key_1'],
  ["nobody's where it is a control entry", { key: 'key_1', kind: 'control', user: 'ann' }, null],
] as const)('a receipt is %s', (_, entry, owner) => {
  expect(receiptOwner(entry)).toBe(owner)
})
