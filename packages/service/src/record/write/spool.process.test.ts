import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openSpool } from './spool.js'

const sourceUrl = (path: string) => new URL(path, import.meta.url).href

test('a disk that fills up is told at once, and leaves whole lines only', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-spool-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
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
    sourceUrl('../../../../../scripts/typescript.mjs'),
    script,
  ])
  const told: string[] = JSON.parse(stdout)
  const kept = told.filter((each) => each === 'kept').length
  expect(kept).toBeGreaterThan(2)
  expect(told.slice(kept)).toEqual(Array.from({ length: 20 - kept }, () => 'EFBIG'))

  const [name = ''] = await readdir(join(dataDir, 'spool'))
  expect(await readFile(join(dataDir, 'spool', name), 'utf8')).toMatch(/\}\n$/)
  const { leftovers } = openSpool(dataDir)
  expect(leftovers.receipts.map(({ draft }) => draft.id)).toEqual(
    Array.from({ length: kept }, (_, i) => `req_${i}`),
  )
  expect(leftovers.unreadable).toBe(0)
})
