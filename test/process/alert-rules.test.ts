import { spawnSync } from 'node:child_process'
import { test as anyTest, expect } from 'vitest'

const folder = new URL('../../deploy/prometheus/', import.meta.url)
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
// Of Debian's package `prometheus`. Without it, test/unit/deploy.test.ts still reads every expression.
const test = anyTest.skipIf(promtool('--version').status !== 0)

test.for([
  ['check', 'config', 'prometheus.yml'],
  ['test', 'rules', 'alerts.test.yaml'],
])('promtool %s %s: rules are valid, fire when they should, and not otherwise', (args) => {
  const { status, stdout, stderr } = promtool(...args)
  expect(status, stdout + stderr).toBe(0)
})
