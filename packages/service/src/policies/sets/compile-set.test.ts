import { expect, test } from 'vitest'
import type { Policy } from '../schema.js'
import { compileSet } from './compile-set.js'

const policy = (id: string, scope: Policy['scope']): Policy => ({
  id,
  name: id,
  description: '',
  kind: 'secrets',
  config: {},
  scope,
  phase: 'both',
  action: 'block',
  enabled: true,
  version: 1,
  createdAt: '2026-11-15T01:02:03.004Z',
  updatedAt: '2026-11-15T01:02:03.004Z',
})

test('a caller has the policies of its tenant, team, user and key as they are at the moment', () => {
  const { selectFor } = compileSet([
    policy('all', { type: 'tenant', id: 'tenant_1' }),
    policy('red', { type: 'team', id: 'red' }),
    policy('ada', { type: 'user', id: 'ada' }),
    policy('key', { type: 'key', id: 'key_1' }),
  ])
  const namesFor = (teamId: string | null, userId: string | null, keyId: string) =>
    selectFor({ teamId, userId, keyId }).all.map(({ id }) => id)
  for (let round = 0; round < 2; round++) {
    expect(namesFor('red', 'ada', 'key_1')).toEqual(['all', 'red', 'ada', 'key'])
    expect(namesFor('blue', 'ada', 'key_1')).toEqual(['all', 'ada', 'key'])
    expect(namesFor('blue', null, 'key_1')).toEqual(['all', 'key'])
    expect(namesFor('blue', null, 'key_2')).toEqual(['all'])
  }
  const caller = { teamId: 'red', userId: 'ada', keyId: 'key_1' }
  expect(selectFor(caller)).toBe(selectFor({ ...caller }))
})
