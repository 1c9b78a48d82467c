import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

type Api = TestService['api']
const keywords = (api: Api, word: string, action: string) =>
  api.post('/v1/policies', { name: word, kind: 'keywords', action, config: { words: [word] } })
const call = (api: Api, content: string) =>
  api.post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content }] })

test('calls on which policies acted are counted by policy and day, and agree with the usage report', async () => {
  const { api } = service
  const [apple, pear, plum] = await Promise.all([
    keywords(api, 'apple', 'flag'),
    keywords(api, 'pear', 'block'),
    keywords(api, 'plum', 'flag'),
  ])
  const other = await addTenant(service, 'other')
  await keywords(other.api, 'apple', 'block')
  for (const content of ['an apple', 'an apple and a pear', 'nothing']) await call(api, content)
  await call(other.api, 'an apple')
  // A call of five days before, in a day of its own.
  await service.database.query(
    `update calls set ts = ts - interval '5 days' where seq = (select min(seq) from calls where policy_ids @> array[$1])
       and policy_ids @> array[$1]`,
    [apple.body.id],
  )

  const { body } = await api.get('/v1/policies/hits?timeZone=Europe%2FBerlin')
  expect(body.days).toHaveLength(7)
  const counts = new Map<string, number[]>(
    body.policies.map(({ policyId, calls }: { policyId: string; calls: number[] }) => [policyId, calls]),
  )
  expect([...counts.keys()].sort()).toEqual([apple.body.id, pear.body.id].sort())
  for (const { body: policy } of [apple, pear, plum]) {
    const query = `from=${body.days[0]}&to=${body.to}&interval=day&timeZone=Europe%2FBerlin&policyId=${policy.id}`
    const usage = (await api.get(`/v1/usage?${query}`)).body
    const requests = usage.series.map((point: { requests: number }) => point.requests)
    expect(counts.get(policy.id) ?? [0, 0, 0, 0, 0, 0, 0]).toEqual(requests)
  }
  expect(counts.get(apple.body.id)?.reduce((sum, calls) => sum + calls)).toBe(2)
})

test('a name that is no time zone is refused', async () => {
  const { status, body } = await service.api.get('/v1/policies/hits?timeZone=Mars')
  expect([status, body.error.type]).toEqual([400, 'invalid_request'])
})
