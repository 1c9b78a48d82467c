import { beforeEach, expect, test } from 'vitest'
import type { Changes } from '../../../db/index.js'
import { createAlertSchedule } from './alert-schedule.js'

type Listener = Parameters<Changes['subscribe']>[0]
let change: Listener['onChange']
let gap: Listener['onGap']
let schedule: ReturnType<typeof createAlertSchedule>

beforeEach(() => {
  schedule = createAlertSchedule({
    subscribe({ onChange, onGap }) {
      change = onChange
      gap = onGap
    },
  })
})

test('alerts are checked once, and again when the record has grown', () => {
  const first = schedule.begin(7)
  expect(schedule.isDue(first, undefined)).toBe(true)
  expect(schedule.isDue(schedule.begin(7), first)).toBe(false)
  expect(schedule.isDue(schedule.begin(8), first)).toBe(true)
})

test('alerts are checked again when a limit or a webhook has changed, or a change may have been missed', () => {
  for (const table of ['budgets', 'budget_requests', 'teams', 'members', 'webhook_endpoints']) {
    const last = schedule.begin(7)
    change({ table, tenantId: 'tenant_1' })
    expect(schedule.isDue(schedule.begin(7), last), table).toBe(true)
  }
  const last = schedule.begin(7)
  change({ table: 'prompts', tenantId: 'tenant_1' })
  expect(schedule.isDue(schedule.begin(7), last)).toBe(false)
  gap()
  expect(schedule.isDue(schedule.begin(7), last)).toBe(true)
})

test('a change during a check makes the next one due', () => {
  const running = schedule.begin(7)
  change({ table: 'budgets', tenantId: 'tenant_1' })
  expect(schedule.isDue(schedule.begin(7), running)).toBe(true)
})

test('without a change alerts are checked every five minutes, because spikes are compared with hours that move on', () => {
  const last = schedule.begin(7)
  expect(schedule.isDue({ ...last, atMs: last.atMs + 299_999 }, last)).toBe(false)
  expect(schedule.isDue({ ...last, atMs: last.atMs + 300_000 }, last)).toBe(true)
})
