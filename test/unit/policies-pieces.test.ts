import { expect, test } from 'vitest'
import { CheckResults } from '../../packages/service/src/policies/judge/check-results.js'
import { Redactions } from '../../packages/service/src/policies/judge/edit/redactions.js'
import { judgeTexts } from '../../packages/service/src/policies/judge/judge-texts.js'
import { WorkTimer } from '../../packages/service/src/policies/judge/work-timer.js'
import type { Policy } from '../../packages/service/src/policies/schema.js'
import { compileSet } from '../../packages/service/src/policies/sets/compile-set.js'
import type { PolicyGroup } from '../../packages/service/src/policies/sets/policy-group.js'
import { createSliceQueue } from '../../packages/service/src/shared/slice-queue.js'
import { fill, hostileUnits } from '../harness/policies/hostile-texts.js'
import { processorMsSince, scaledMs } from '../harness/run/processor-time.js'

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
  const yieldToEventLoop = createSliceQueue()
  let longest = 0
  let resumed = process.cpuUsage()
  const measure = () => {
    longest = Math.max(longest, processorMsSince(resumed))
  }
  const timer = new WorkTimer(async () => {
    measure()
    await yieldToEventLoop()
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
    for (let round = 0; round < 6 && best >= scaledMs(40); round++)
      best = Math.min(best, await longestSliceMs(text, policies))
    expect(best).toBeLessThan(scaledMs(40))
  },
)
