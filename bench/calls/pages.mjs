import { readFilter } from '../../packages/service/src/reporting/calls/search/filter.js'
import { searchCalls } from '../../packages/service/src/reporting/calls/search/search.js'
import { days } from './fill.mjs'

const nothing = readFilter({}, null)

const searches = {
  'all calls': {},
  'all calls, the oldest day': { to: new Date(Date.now() - (days - 1) * 86_400_000) },
  'a key that many calls have': { keyId: 'key_0' },
  'a key that few calls have': { keyId: 'key_199' },
  'a key that no call has': { keyId: 'key_none' },
  'a user': { userId: 'user_49' },
  'a team': { teamId: 'team_1' },
  'a model': { model: 'gpt-4o' },
  'a model of a provider': { model: 'openai/gpt-4o' },
  'a rare outcome': { outcome: 'interrupted' },
  'an outcome that no call has': { outcome: 'aborted' },
  'a policy': { policyId: 'pol_3' },
  'a session': { session: 'session-3' },
  'a tag that half of the calls have': { tags: { env: 'prod' } },
  'a rare tag': { tags: { project: 'p99' } },
  'a tag that no call has': { tags: { project: 'none' } },
  'a cost that few calls have': { minCostNanos: 9e7 },
  'a cost that no call has': { minCostNanos: 1e12 },
  'key, model and outcome': { keyId: 'key_0', model: 'gpt-4o', outcome: 'interrupted' },
  'what many calls have each, and none together': { teamId: 'team_1', tags: { env: 'prod' } },
  'an old request': { requestId: `req_${'500'.padStart(26, '0')}` },
}

/** Up to so many pages of each search, and the time that they took. */
export async function measurePages({ db }, maxPages) {
  for (const [name, filter] of Object.entries(searches)) {
    const times = []
    /** @type {import('../../packages/service/src/reporting/calls/search/position.js').Position | null} */
    let after = null
    let rows = 0
    do {
      const begin = performance.now()
      const page = await searchCalls(db, 'tenant_1', { ...nothing, ...filter }, { after, limit: 200 })
      times.push(performance.now() - begin)
      rows += page.rows.length
      after = page.next
    } while (after !== null && times.length < maxPages)
    const sorted = times.toSorted((a, b) => a - b)
    console.log(
      `${name.padEnd(46)} ${String(times.length).padStart(3)} pages${after === null ? ' to the end' : '           '} ${String(rows).padStart(6)} rows   median ${sorted[Math.floor(sorted.length / 2)].toFixed(0).padStart(3)} ms   longest ${(sorted.at(-1) ?? 0).toFixed(0).padStart(3)} ms`,
    )
  }
}
