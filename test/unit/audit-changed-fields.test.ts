import { expect, test } from 'vitest'
import { changedFields } from '../../packages/console/src/pages/audit/changed-fields.js'

test('only fields that differ are told, inside of records by their path', () => {
  const before = { name: 'ci', rpmLimit: 20, scope: { type: 'team', id: 'a' }, models: ['x'], updatedAt: '1' }
  const after = {
    name: 'ci',
    rpmLimit: null,
    scope: { type: 'team', id: 'b' },
    models: ['x'],
    updatedAt: '2',
  }
  expect(changedFields(before, after)).toEqual([
    { path: 'rpmLimit', before: 20, after: null },
    { path: 'scope.id', before: 'a', after: 'b' },
  ])
})

test('of what is new every field is told, and of what is gone', () => {
  expect(changedFields(null, { name: 'ci', rpmLimit: null })).toEqual([
    { path: 'name', before: undefined, after: 'ci' },
    { path: 'rpmLimit', before: undefined, after: null },
  ])
  expect(changedFields({ name: 'ci' }, null)).toEqual([{ path: 'name', before: 'ci', after: undefined }])
})
