import { expect, test } from 'vitest'
import { newReceipt } from '../../../../../test/harness/record/receipt.js'
import { toCallRow } from './call-row.js'
import { projectCalls } from './projection.js'

test('the members of a row are in the order of the columns', () => {
  const receipt = { ...newReceipt('tenant'), seq: 1 }
  const [statement] = projectCalls([receipt])
  const [, columns = ''] = /insert into calls \(([^)]*)\)/.exec(statement?.text ?? '') ?? []
  expect(Object.keys(toCallRow(receipt) ?? {})).toEqual(columns.split(', '))
})
