import { expect, test } from 'vitest'
import { createChangeTracker } from './change-tracker.js'

test('a change concerns its own tenant, and versions read before it', () => {
  const tracker = createChangeTracker()
  const before = tracker.version()
  tracker.markChanged('a')
  const after = tracker.version()
  expect([
    tracker.changedSince(before, 'a'),
    tracker.changedSince(after, 'a'),
    tracker.changedSince(before, 'b'),
  ]).toEqual([true, false, false])
  tracker.markChanged()
  expect([
    tracker.changedSince(after, 'a'),
    tracker.changedSince(after, 'b'),
    tracker.changedSince(tracker.version(), 'b'),
  ]).toEqual([true, true, false])
})

test('after changes of thousands of tenants each counts as changed, and none that was read later', () => {
  const tracker = createChangeTracker()
  const before = tracker.version()
  for (let i = 0; i < 5_000; i++) tracker.markChanged(`tenant-${i}`)
  for (let i = 0; i < 5_000; i++) expect(tracker.changedSince(before, `tenant-${i}`)).toBe(true)
  const after = tracker.version()
  expect([tracker.changedSince(after, 'tenant-0'), tracker.changedSince(after, 'another')]).toEqual([
    false,
    false,
  ])
})
