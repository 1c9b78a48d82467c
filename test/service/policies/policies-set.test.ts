import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Changes,
  type Database,
  listenForChanges,
  openDatabase,
} from '../../../packages/service/src/db/index.js'
import { createPolicySets } from '../../../packages/service/src/policies/index.js'
import { waitFor } from '../../harness/run/wait.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let database: Database
let changes: Changes
let tenantId: string

beforeAll(async () => {
  service = await shareTestService()
  database = openDatabase(service.database.url, () => undefined)
  changes = await listenForChanges(service.database.url, () => undefined)
  const tenant = { id: service.tenantId }
  tenantId = tenant?.id ?? ''
})
afterAll(async () => {
  await changes.close()
  await database.close()
  await service.stop()
})

test('the hash changes exactly when the set changes', async () => {
  const hash = async () => (await createPolicySets({ db: database.db, changes }).current(tenantId)).hash
  const { api } = service
  const seen = [await hash()]
  const expectChange = async () => {
    const next = await hash()
    expect(seen).not.toContain(next)
    seen.push(next)
  }
  const expectSame = async (as = seen.at(-1)) => expect(await hash()).toBe(as)

  const { body: first } = await api.post('/v1/policies', { name: 'First', kind: 'secrets' })
  const path = `/v1/policies/${first.id}`
  await expectChange()
  for (const change of [
    { action: 'flag' },
    { phase: 'both' },
    { name: 'Renamed' },
    { description: 'Described' },
  ]) {
    await api.patch(path, change)
    await expectChange()
    await api.patch(path, change)
    await expectSame()
  }

  const { body: second } = await api.post('/v1/policies', { name: 'Second', kind: 'secrets', enabled: false })
  await expectSame()
  await api.patch(`/v1/policies/${second.id}`, { action: 'flag' })
  await api.delete(`/v1/policies/${second.id}`)
  await api.post('/v1/policies', { name: 'Renamed', kind: 'secrets' })
  await api.patch(path, { phase: 'nonsense' })
  await expectSame()

  await api.patch(path, { enabled: false })
  await expectSame(seen[0])
  await api.patch(path, { enabled: true })
  await expectChange()
  await api.delete(path)
  await expectSame(seen[0])
})

test('a replica applies what another one changed, and what it changed itself at once', async () => {
  const sets = createPolicySets({ db: database.db, changes })
  // What was changed before may still be on its way.
  const before = await waitFor('a set that stays', async () => {
    const set = await sets.current(tenantId)
    return (await sets.current(tenantId)) === set ? set : null
  })

  const { body } = await service.api.post('/v1/policies', {
    name: 'Heard of',
    kind: 'keywords',
    config: { words: ['x'] },
  })
  const heard = await waitFor('the change to be heard of', async () => {
    const set = await sets.current(tenantId)
    return set.hash !== before.hash && set
  })
  expect(heard).toMatchObject({ tenantId, policies: [body] })

  sets.forget(tenantId)
  const again = await sets.current(tenantId)
  expect(again).not.toBe(heard)
  expect(again).toMatchObject({ tenantId, hash: heard.hash, policies: heard.policies })
})

test('the set holds only what is enabled and not deleted, of this tenant alone', async () => {
  const sets = createPolicySets({ db: database.db, changes })
  await service.api.post('/v1/policies', { name: 'Off', kind: 'secrets', enabled: false })
  const gone = await service.api.post('/v1/policies', { name: 'Gone', kind: 'secrets' })
  await service.api.delete(`/v1/policies/${gone.body.id}`)
  const on = await service.api.post('/v1/policies', { name: 'On', kind: 'secrets' })
  const { policies } = await sets.current(tenantId)
  expect(policies.map(({ name }) => name)).toEqual(['Heard of', on.body.name])
  expect((await sets.current('tenant_other')).policies).toEqual([])
})
