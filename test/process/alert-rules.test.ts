import { spawnSync } from 'node:child_process'
import { test as anyTest, expect } from 'vitest'
import { hasPromtool } from '../harness/reporting/firing-alerts.js'

const folder = new URL('../../deploy/prometheus/', import.meta.url)
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
// Without it, test/unit/deploy.test.ts still reads every expression.
const test = anyTest.skipIf(!hasPromtool)

test.for([
  ['check', 'config', 'prometheus.yml'],
  ['test', 'rules', 'alerts.test.yaml'],
])('promtool %s %s: rules are valid, fire when they should, and not otherwise', (args) => {
  const { status, stdout, stderr } = promtool(...args)
  expect(status, stdout + stderr).toBe(0)
})
