import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest'
import type {
  FilesVerdict,
  VerifierRequest,
  VerifierResponse,
} from '../../packages/console/src/verifier/protocol.js'
import { UnusableInputError } from '../../packages/record/src/verify/fault.js'
import { checkFiles } from '../../packages/record/src/verify/files/check-files.js'
import { trustKeys } from '../../packages/record/src/verify/files/trusted-keys.js'
import { describeFindings, verdictOf } from '../../packages/record/src/verify/files/verdict.js'
import { openInput } from '../../packages/service/src/main/cli/verify/input.js'
import { bundleBrowserVerifier } from '../harness/browser/browser-verifier.js'
import { exportLines, makeRecord, makeSigningKey } from '../harness/record/export-file.js'
import { mutationsOf } from '../harness/record/export-mutations.js'
import { verifyExportText } from '../harness/record/second-verifier.js'
import { variationsOf } from '../harness/record/verifier-inputs.js'
import { chromiumPath, closeBrowserAfterwards, openBrowser } from './harness/browser.js'

const test = anyTest.skipIf(chromiumPath === undefined)
closeBrowserAfterwards()

const key = makeSigningKey()
const record = makeRecord({
  groups: [3, 1, 4],
  keys: [key],
  draft: (seq) => ({ user: `user ${seq} é \u2028` }),
})
const lines = exportLines(record, [key])
const whole = Buffer.from(lines.map((line) => `${line}\n`).join(''))
const { jwk } = key.publicKey

let page: Page
let folder: string
beforeAll(async () => {
  if (chromiumPath === undefined) return
  folder = await mkdtemp(join(tmpdir(), 'tallystick-agree-'))
  page = await (await openBrowser()).newPage()
  // A page of its own origin, which no server has: a browser starts no worker from an empty page.
  const address = 'http://127.0.0.1:9'
  await page.route(`${address}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Verify</title>' }),
  )
  const body = await bundleBrowserVerifier()
  await page.route(`${address}/worker.js`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.goto(address)
  await page.evaluate(() => {
    Object.assign(globalThis, { verifier: new Worker('/worker.js', { type: 'module' }) })
  })
})
afterAll(async () => {
  await page?.close()
  if (folder) await rm(folder, { recursive: true })
})

/** As the page of the console asks: the file goes to a worker of a real browser. */
async function inBrowser(bytes: Uint8Array): Promise<Pick<FilesVerdict, 'verdict' | 'text'>> {
  const base64 = Buffer.from(bytes).toString('base64')
  const answer = await page.evaluate(
    ({ base64, jwk }) =>
      new Promise<VerifierResponse>((resolve, reject) => {
        const { verifier } = globalThis as unknown as { verifier: Worker }
        const content = new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))])
        const question: VerifierRequest = {
          ...{ id: performance.now(), about: 'files', costs: false, keys: [{ ...jwk }] },
          files: [{ name: 'export', content }],
        }
        const hear = ({ data }: MessageEvent<VerifierResponse>) => {
          if (data.id !== question.id || data.about === 'progress') return
          verifier.removeEventListener('message', hear)
          resolve(data)
        }
        verifier.addEventListener('message', hear)
        verifier.onerror = () => reject(new Error('The worker failed'))
        verifier.postMessage(question)
      }),
    { base64, jwk },
  )
  if (answer.about !== 'files') throw new Error(`The browser says: ${JSON.stringify(answer)}`)
  return { verdict: answer.verdict.verdict, text: answer.verdict.text }
}

const hints = { key: 'in a file beside it', checkpoint: 'chosen together with it' }

/** As `tallystick verify` reads a file and judges it. */
async function byCommand(bytes: Uint8Array): Promise<Pick<FilesVerdict, 'verdict' | 'text'>> {
  const path = join(folder, 'export')
  await writeFile(path, bytes)
  const input = { ...openInput(path), name: 'export' }
  try {
    const trusted = trustKeys([key.publicKey])
    const findings = await checkFiles([input], { trusted, checkpoints: [], costs: false, hints })
    return { verdict: verdictOf(findings, true), text: describeFindings(findings, true) }
  } catch (error) {
    if (!(error instanceof UnusableInputError)) throw error
    return { verdict: 'unusable', text: error.message }
  }
}

const isPacked = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b

async function expectAgreement(bytes: Uint8Array): Promise<FilesVerdict['verdict']> {
  const said = await inBrowser(bytes)
  expect(said).toEqual(await byCommand(bytes))
  // The one that was written from the description alone reads text.
  if (!isPacked(bytes)) expect(verifyExportText(Buffer.from(bytes), [jwk])).toBe(said.verdict === 'verified')
  return said.verdict
}

describe('the command, a real browser and the verifier written from the description agree', () => {
  test.each(variationsOf(lines))('on an export: $name', async ({ bytes, isAccepted }) => {
    expect((await expectAgreement(bytes)) === 'verified').toBe(isAccepted)
  })

  test('on an export that was changed anywhere, in any way, packed or not', async () => {
    await fc.assert(
      fc.asyncProperty(mutationsOf(lines), async (mutate) => {
        await expectAgreement(mutate(whole))
      }),
      { numRuns: 150 },
    )
  })

  test('on bytes that are changed in a packed export', async () => {
    const [packed] = variationsOf(lines).filter(({ name }) => name === 'packed')
    const bytes = packed?.bytes ?? Buffer.of()
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (place, mask) => {
        const verdict = await expectAgreement(bytes.with(place, (bytes[place] ?? 0) ^ mask))
        // The time, the speed and the system in the header say nothing about the content.
        if (place < 3 || place >= 10) expect(verdict).not.toBe('verified')
      }),
      { numRuns: 100 },
    )
  })
})
