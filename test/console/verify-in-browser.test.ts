import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { signCheckpoint } from '../../packages/record/src/format/signing/checkpoint.js'
import { loadOrCreateSigningKey } from '../../packages/service/src/record/keys/signing-key.js'
import { runCommand } from '../harness/processes/command.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { openVerifierFolder, type VerifierFolder } from '../harness/processes/verifier-folder.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { chromiumPath, closeBrowserAfterwards } from './harness/browser.js'
import { type Visit, visit } from './harness/visit.js'

const test = anyTest.skipIf(chromiumPath === undefined)
const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let database: TestDatabase
let service: ServiceProcess
let visitor: Visit
let command: VerifierFolder
let requestId: string
let dataDir: string

const settings = () => ({ DATABASE_URL: database.url, TALLYSTICK_DATA_DIR: dataDir })

closeBrowserAfterwards()
beforeAll(async () => {
  if (chromiumPath === undefined) return
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-console-'))
  service = await startServiceProcess({ ...settings(), TALLYSTICK_BOOTSTRAP_KEY: managerKey })
  const { post, get } = createApi(service.address, managerKey)
  for (let n = 0; n < 12; n += 1)
    await post('/v1/chat/completions', {
      model: 'mock/echo',
      messages: [{ role: 'user', content: `Hello ${n}` }],
    })
  requestId = (await get('/v1/calls')).body.data[3].requestId
  command = await openVerifierFolder()
  await command.write('jwks.json', JSON.stringify((await get('/.well-known/tallystick/jwks.json')).body))
  visitor = await visit({ address: service.address, key: managerKey })
})
afterAll(async () => {
  await visitor?.close()
  await command?.remove()
  await service?.end('SIGKILL')
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

/** What the command says, but for how one gives it what it lacks. */
async function saidByCommand(name: string, content: string | Buffer): Promise<string> {
  await command.write(name, content)
  const { stdout } = await command.run([name, '--key', 'jwks.json'])
  return stdout.trim().replaceAll('with --checkpoint', 'chosen together with it')
}

/** As a hand does it: the file is dropped on the page. */
async function drop(page: Page, name: string, content: string | Buffer): Promise<string> {
  const base64 = Buffer.from(content).toString('base64')
  const transfer = await page.evaluateHandle(
    ({ name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], name))
      return transfer
    },
    { name, base64 },
  )
  await page.dispatchEvent('[data-drop]', 'drop', { dataTransfer: transfer })
  const verdict = page.locator('[data-drop] [data-verdict]').filter({ hasText: name })
  await verdict.getByRole('button', { name: 'Copy result' }).click()
  return await waitFor(`the verdict on ${name} in the clipboard`, async () => {
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    return copied.includes(`${name}:`) && copied
  })
}

test('an export is saved, dropped on the page and verified there, in the words of the command', async () => {
  const { page } = visitor
  const sent: string[] = []
  await page.goto(`${service.address}/compliance`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))

  expect(await drop(page, 'export.jsonl', text)).toBe(await saidByCommand('export.jsonl', text))
  await page.locator('[data-stick=closed]').waitFor()

  // An entry changed; an entry taken out; the file cut off, also where it is packed.
  const lines = text.split('\n')
  const isCall = (line: string) => line.startsWith('{"type":"entry"') && line.includes('latencyMs')
  const at = lines.findLastIndex(isCall) - 6
  const place = lines.findIndex((line, n) => n >= at && isCall(line))
  const changed = lines.map((line, n) =>
    n === place ? line.replace(/(latencyMs\\":)\d+/, '$1987654') : line,
  )
  const files: [string, string | Buffer][] = [
    ['changed.jsonl', changed.join('\n')],
    ['missing.jsonl', lines.toSpliced(place, 1).join('\n')],
    ['short.jsonl', lines.slice(0, -4).join('\n')],
    ['packed.jsonl.gz', gzipSync(text)],
    ['short.jsonl.gz', gzipSync(text).subarray(0, -200)],
  ]
  expect(changed).not.toEqual(lines)
  for (const [name, content] of files) {
    const said = await drop(page, name, content)
    expect(said).toBe(await saidByCommand(name, content))
    await page.locator(`[data-stick=${name.startsWith('packed') ? 'closed' : 'apart'}]`).waitFor()
  }

  // Of the files nothing went anywhere: the page read the public keys, and the worker its own code.
  const elsewhere = sent.filter((request) => !/^GET \/(\.well-known|v1|assets)\//.test(request))
  expect(elsewhere).toEqual([])
  expect(visitor.complaints()).toEqual([])
})

test('a receipt is shown to be in the record, and not where the page would show other figures than its own', async () => {
  const { page } = visitor
  const address = `${service.address}/calls?call=${requestId}`
  await page.goto(address)
  const verdict = page.locator('[data-verdict=ok]')
  await verdict.waitFor()
  expect(await verdict.innerText()).toMatch(/^Receipt \d+ is in the record/)

  await database.query('update calls set cost_nanos = cost_nanos + 1 where request_id = $1', [requestId])
  await page.goto(address)
  const refusal = page.locator('[data-verdict=bad]')
  await refusal.waitFor()
  expect(await refusal.innerText()).toContain(
    'The receipt shows another costNanos than the text that was hashed',
  )
  expect(visitor.complaints()).toEqual([])
})

test('a restore that was accepted is stated at the top, among what is attested, and by the verifier', async () => {
  const { page } = visitor
  const { get } = createApi(service.address, managerKey)
  const { tenantId: tenant } = (await get('/v1/compliance/attestation')).body
  const key = await loadOrCreateSigningKey({ dataDir, configured: null })
  const file = join(dataDir, 'kept.txt')
  await writeFile(file, signCheckpoint({ tenant, size: 999, root: Buffer.alloc(32, 7) }, key))
  const accepted = await runCommand(
    ['record', 'accept-restore', '--checkpoint', file, '--by', 'Ada'],
    settings(),
  )
  expect(accepted).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('was sealed up to entry 999'),
  })

  await page.goto(`${service.address}/compliance`)
  await page.getByText('Entries that were signed before are missing').waitFor()
  expect(await page.getByText('without a gap').count()).toBe(0)
  const exceptions = page.getByRole('list', { name: 'Exceptions' })
  expect(await exceptions.innerText()).toMatch(
    /999 entries had been sealed with the root (07){32}; \d+ of these are missing.*, by Ada\)/,
  )

  const text: string = (await get('/v1/compliance/export')).body
  const said = await drop(page, 'restored.jsonl', text)
  expect(said).toBe(await saidByCommand('restored.jsonl', text))
  expect(said).toMatch(
    /^restored.jsonl: verified, with 1 exception\n {2}EXCEPTION: Sealed entries are missing/,
  )
  await page.getByText('Verified: the halves match, with exceptions').waitFor()
})
