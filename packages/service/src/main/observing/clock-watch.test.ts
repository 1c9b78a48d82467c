import { expect, test } from 'vitest'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { startClockWatch } from './clock-watch.js'

test('a clock that jumps is said once, in both directions; one that is moved a little at a time is not', async () => {
  const said: string[] = []
  let skewMs = 0
  let looks = 0
  const watch = startClockWatch({
    wallMs: () => 1_800_000_000_000 + looks * 10 + skewMs,
    steadyMs: () => looks++ * 10,
    log: { warn: (_context, message) => void said.push(message) },
    everyMs: 1,
  })
  const lookedAgain = async () => {
    const seen = looks
    await waitFor('looks', async () => looks > seen + 3)
  }
  try {
    for (let i = 0; i < 3; i++) {
      skewMs += 1_500
      await lookedAgain()
    }
    expect(said).toEqual([])
    skewMs += 3_600_000
    await lookedAgain()
    expect(said).toEqual([expect.stringMatching(/jumped ahead by 3600\.0 s, to 2027-/)])
    skewMs -= 60_000
    await lookedAgain()
    expect(said.slice(1)).toEqual([expect.stringMatching(/jumped back by 60\.0 s/)])
  } finally {
    await watch.close()
  }
})
