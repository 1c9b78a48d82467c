import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
beforeAll(async () => {
  service = await shareTestService()
})
afterAll(() => service.stop())

const path = '/v1/managed-resources'

test('of two runs that note the same object at the same time, one is refused', async () => {
  const entry = { kind: 'Team', name: 'research' }
  const answers = await Promise.all([service.api.post(path, entry), service.api.post(path, entry)])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  const other = await service.api.post(path, { ...entry, kind: 'Key' })
  expect(other.status, 'another kind has its own names').toBe(201)
})

test('of ten changes to the same revision, one succeeds and the others say which revision there is', async () => {
  const { body: entry } = await service.api.post(path, { kind: 'Team', name: 'ten' })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      service.api.patch(`${path}/${entry.id}`, { ifRevision: 1, resourceId: `team_${i}`, state: 'applied' }),
    ),
  )
  const refused = answers.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(9)
  expect(refused[0]?.body.error.message).toContain('its revision is 2, not 1')
  const [won] = answers.filter(({ status }) => status === 200)
  expect((await service.api.get(`${path}/${entry.id}`)).body).toEqual(won?.body)
})

test('a name is free again after its entry was deleted, and every change is in the audit log without hashes', async () => {
  const entry = { kind: 'Budget', name: 'again', set: 'finance' }
  const { body: first } = await service.api.post(path, entry)
  await service.api.patch(`${path}/${first.id}`, { specHashes: { amountUsd: 'abc' } })
  for (const _ of ['once', 'twice'])
    expect((await service.api.delete(`${path}/${first.id}`)).status).toBe(204)
  expect((await service.api.get(`${path}?set=finance`)).body.data).toEqual([])
  expect((await service.api.post(path, entry)).status).toBe(201)
  const { body: log } = await service.api.get(`/v1/audit-log?subjectId=${first.id}`)
  expect(log.data.map(({ action }: { action: string }) => action)).toEqual([
    'managed_resource.delete',
    'managed_resource.update',
    'managed_resource.create',
  ])
  expect(JSON.stringify(log)).not.toContain('Hashes')
})
