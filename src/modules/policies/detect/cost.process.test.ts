import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

// In a process of its own, from the built files: the runner reaches every imported name through a getter, which makes the
// inner loops ten times slower than they are.
test('no slice of a hostile text keeps the event loop for 20 ms', { timeout: 120_000 }, () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', './scripts/typescript.mjs', 'scripts/measure-detection-cost.mjs'],
    {
      encoding: 'utf8',
    },
  )
  expect(status, stdout).toBe(0)
})
