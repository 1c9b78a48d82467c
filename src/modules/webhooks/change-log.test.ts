import { expect, test } from 'vitest'
import { createChangeLog } from './change-log.js'

test('a change is one of its tenant alone, and of what began before it', () => {
  const log = createChangeLog()
  const before = log.now()
  log.note('a')
  const after = log.now()
  expect([log.since(before, 'a'), log.since(after, 'a'), log.since(before, 'b')]).toEqual([
    true,
    false,
    false,
  ])
  log.note()
  expect([log.since(after, 'a'), log.since(after, 'b'), log.since(log.now(), 'b')]).toEqual([
    true,
    true,
    false,
  ])
})

test('of thousands of tenants none is forgotten, but for a moment all count as changed', () => {
  const log = createChangeLog()
  const before = log.now()
  for (let i = 0; i < 5_000; i++) log.note(`tenant-${i}`)
  for (let i = 0; i < 5_000; i++) expect(log.since(before, `tenant-${i}`)).toBe(true)
  const after = log.now()
  expect([log.since(after, 'tenant-0'), log.since(after, 'another')]).toEqual([false, false])
})
