import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { scaledMs } from '../../../../../test/harness/run/processor-time.js'

// In its own process: the test runner makes every imported name a getter, which slows the inner loops
// down ten times.
test('no slice of a hostile text keeps the event loop for long', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', './scripts/typescript.mjs', 'scripts/measure-detection-cost.mjs', String(scaledMs(40))],
    {
      encoding: 'utf8',
    },
  )
  expect(status, stdout).toBe(0)
})
