import { expect, test } from 'vitest'
import { type CompiledPolicy, compileSet } from '../../src/modules/policies/compile-set.js'
import { CheckSheet } from '../../src/modules/policies/judge/check-sheet.js'
import { judgeTexts } from '../../src/modules/policies/judge/judge-texts.js'
import { createTurns, Pace } from '../../src/modules/policies/judge/pace.js'
import { Redactions } from '../../src/modules/policies/judge/redactions.js'
import type { Policy } from '../../src/modules/policies/schema.js'
import { fill, hostileUnits } from '../harness/hostile-texts.js'
import { processorMsSince } from '../harness/processor-time.js'

// How long the judging of one call holds the thread before others get their turn.

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
const { all: policies } = compileSet([
  policy('pii', { entities: ['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'] }, 1),
  policy('secrets', {}, 2),
  policy('keywords', { words: [...words, 'nightfall'], caseSensitive: false }, 3),
  policy('pattern', { patterns: [{ name: 'badge', regex: '\\bEMP-[0-9]{6}\\b' }] }, 4),
]).selectFor({ teamId: null, userId: null, keyId: '' })

/** The longest piece between two rests, in processor time: how busy the machine is says nothing about us. */
async function longestPieceMs(text: string, asked: readonly CompiledPolicy[]): Promise<number> {
  const turns = createTurns()
  let longest = 0
  let resumed = process.cpuUsage()
  const measure = () => {
    longest = Math.max(longest, processorMsSince(resumed))
  }
  const pace = new Pace(async () => {
    measure()
    await turns()
    resumed = process.cpuUsage()
  })
  const sheet = new CheckSheet(asked)
  await judgeTexts(asked, [{ text, json: true }], { sheet, redactions: new Redactions(), pace })
  measure()
  expect(sheet.checks().map(({ result }) => result)).not.toContain('error')
  return longest
}

test.each(Object.entries(hostileUnits))(
  'no end of %s is judged in pieces of a few milliseconds',
  async (_, unit) => {
    const text = fill(unit, 256 * 1024)
    // The best of some rounds: the first warms the code up, and threads of the runtime count too.
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 6 && best > 20; round++)
      best = Math.min(best, await longestPieceMs(text, policies))
    expect(best).toBeLessThan(20)
  },
)
