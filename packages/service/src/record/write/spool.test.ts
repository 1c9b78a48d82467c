import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newReceipt } from '../../../../../test/harness/record/receipt.js'
import { openSpool } from './spool.js'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-spool-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const files = () => readdir(join(dataDir, 'spool'))

test('what was appended comes back as it was, in order, and is gone once discarded', async () => {
  const receipts = Array.from({ length: 5 }, () => newReceipt('tenant_1', { user: 'Zoë\n"quoted"' }))
  const { spool } = openSpool(dataDir)
  spool.append(receipts.slice(0, 2))
  spool.append(receipts.slice(2))
  const { leftovers } = openSpool(dataDir)
  expect(leftovers.receipts).toEqual(receipts)
  leftovers.discard()
  expect(openSpool(dataDir).leftovers.receipts).toEqual([])
  expect(await files()).toEqual([])
})

test('what later calls may name comes back with its receipt', () => {
  const issued = { providerId: 'prov_1', answer: 'ab', others: ['cd'] }
  openSpool(dataDir).spool.append([{ ...newReceipt('tenant_1'), issued }])
  expect(openSpool(dataDir).leftovers.receipts).toMatchObject([{ issued }])
})

test('nothing is on the disk while nothing waits, and only the service may read what does', async () => {
  const { spool } = openSpool(dataDir)
  expect(await files()).toEqual([])
  spool.append([newReceipt('tenant_1')])
  const [name = ''] = await files()
  expect((await stat(join(dataDir, 'spool', name))).mode & 0o777).toBe(0o600)
  spool.clear()
  expect(await files()).toEqual([])
})

test('a start that dies before it has recorded the leftovers leaves them for the next', () => {
  const receipt = newReceipt('tenant_1')
  openSpool(dataDir).spool.append([receipt])
  for (let start = 0; start < 3; start++) expect(openSpool(dataDir).leftovers.receipts).toEqual([receipt])
})
