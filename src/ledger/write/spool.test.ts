import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newReceipt } from '../../../test/harness/ledger.js'
import { openSpool } from './spool.js'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-spool-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const sourceUrl = (path: string) => new URL(path, import.meta.url).href
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

test('a disk that fills up is told at once, and leaves whole lines only', async () => {
  // The shell's limit on the size of a file stands for the disk: a write beyond it stops in the middle of a line.
  const script = `
    import { openSpool } from ${JSON.stringify(sourceUrl('./spool.ts'))}
    const { spool } = openSpool(${JSON.stringify(dataDir)})
    const receipt = (i) => ({ tenantId: 'tenant_1', commitmentKey: null, draft: { id: 'req_' + i, kind: 'model', model: 'm'.repeat(300) } })
    const told = []
    for (let i = 0; i < 20; i++) {
      try {
        spool.append([receipt(i)])
        told.push('kept')
      } catch (error) {
        told.push(error.code)
      }
    }
    console.log(JSON.stringify(told))`
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -f 4 && exec "$0" --import "$1" --input-type=module -e "$2"',
    process.execPath,
    sourceUrl('../../../scripts/typescript.mjs'),
    script,
  ])
  const told: string[] = JSON.parse(stdout)
  const kept = told.filter((each) => each === 'kept').length
  expect(kept).toBeGreaterThan(2)
  expect(told.slice(kept)).toEqual(Array.from({ length: 20 - kept }, () => 'EFBIG'))

  const [name = ''] = await files()
  expect(await readFile(join(dataDir, 'spool', name), 'utf8')).toMatch(/\}\n$/)
  const { leftovers } = openSpool(dataDir)
  expect(leftovers.receipts.map(({ draft }) => draft.id)).toEqual(
    Array.from({ length: kept }, (_, i) => `req_${i}`),
  )
  expect(leftovers.unreadable).toBe(0)
})
