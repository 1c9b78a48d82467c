import { expect, test } from 'vitest'
import { compileSet } from '../../src/modules/policies/compile-set.js'
import { CheckResults } from '../../src/modules/policies/judge/check-results.js'
import { judgeTexts } from '../../src/modules/policies/judge/judge-texts.js'
import { Redactions } from '../../src/modules/policies/judge/redactions.js'
import { WorkTimer } from '../../src/modules/policies/judge/work-timer.js'
import type { PolicyGroup } from '../../src/modules/policies/policy-group.js'
import type { Policy } from '../../src/modules/policies/schema.js'
import { createTurns } from '../../src/turns.js'
import { fill, hostileUnits } from '../harness/hostile-texts.js'
import { processorMsSince, scaledMs } from '../harness/processor-time.js'

// How long the judging of one call keeps the thread before it yields to others.

const policy = (kind: Policy['kind'], config: Policy['config'], n: number): Policy => ({
  id: `pol_${n}`,
  name: `Policy ${n}`,
  description: '',
  kind,
  config,
  scope: { type: 'tenant', id: 't' },
  phase: 'input',
  action: 'redact',
  enabled: true,
  version: 1,
  createdAt: '',
  updatedAt: '',
})
const words = Array.from({ length: 100 }, (_, i) => `${'aaaa '.repeat(30)}${i}`)
const { input: policies } = compileSet([
  policy('pii', { entities: ['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'] }, 1),
  policy('secrets', {}, 2),
  policy('keywords', { words: [...words, 'nightfall'], caseSensitive: false }, 3),
  policy('pattern', { patterns: [{ name: 'badge', regex: '\\bEMP-[0-9]{6}\\b' }] }, 4),
]).selectFor({ teamId: null, userId: null, keyId: '' })

/** The longest slice between two yields, in processor time, which does not depend on how busy the machine is. */
async function longestSliceMs(text: string, asked: PolicyGroup): Promise<number> {
  const waitForTurn = createTurns()
  let longest = 0
  let resumed = process.cpuUsage()
  const measure = () => {
    longest = Math.max(longest, processorMsSince(resumed))
  }
  const timer = new WorkTimer(async () => {
    measure()
    await waitForTurn()
    resumed = process.cpuUsage()
  })
  const results = new CheckResults(asked.all)
  await judgeTexts(asked, [{ text, json: true }], { results, redactions: new Redactions(), timer })
  measure()
  expect(results.checks().map(({ result }) => result)).not.toContain('error')
  return longest
}

test.each(Object.entries(hostileUnits))(
  'no end of %s is judged in slices of a few milliseconds',
  async (_, unit) => {
    const text = fill(unit, 256 * 1024)
    // The best of some rounds: the first warms the code up, and the runtime's own threads count too.
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 6 && best > 20; round++)
      best = Math.min(best, await longestSliceMs(text, policies))
    expect(best).toBeLessThan(scaledMs(40))
  },
)
