import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import type {
  FilesProgress,
  FilesVerdict,
  ReceiptClaim,
  ReceiptVerdict,
  VerifierRequest,
  VerifierResponse,
} from '../../../packages/console/src/verifier/protocol.js'
import { nodeShims } from '../../../packages/sdk/node-shims.mjs'

const entry = fileURLToPath(new URL('../../../packages/console/src/verifier/worker/main.ts', import.meta.url))

/** The verifier as it is built for a browser, in a thread that has nothing of Node. */
export interface BrowserVerifier {
  verifyReceipt(claim: ReceiptClaim): Promise<ReceiptVerdict>
  verifyFiles(
    question: Omit<Extract<VerifierRequest, { about: 'files' }>, 'id' | 'about'>,
    onProgress?: (progress: FilesProgress) => void,
  ): Promise<FilesVerdict>
  close(): Promise<void>
}

/** The code, as one text. */
export async function bundleBrowserVerifier(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    alias: nodeShims,
    conditions: ['tallystick-source'],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

// What a page's worker has of the same kind as a thread of Node: it hears and says messages. All that a browser has not is taken away.
const start = `
const { parentPort, workerData } = require('node:worker_threads')
globalThis.self = { postMessage: (message) => parentPort.postMessage(message), onmessage: null }
for (const name of ['Buffer', 'process', 'global', 'setImmediate', 'clearImmediate']) delete globalThis[name]
import('data:text/javascript;base64,' + workerData).then(() => {
  parentPort.on('message', (data) => self.onmessage({ data }))
  parentPort.postMessage('ready')
})
`

export async function openBrowserVerifier(
  limits: { maxOldGenerationSizeMb?: number } = {},
): Promise<BrowserVerifier> {
  const code = Buffer.from(await bundleBrowserVerifier()).toString('base64')
  const worker = new Worker(start, { eval: true, workerData: code, resourceLimits: limits, execArgv: [] })
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
  })
  let lastId = 0

  const ask = (question: VerifierRequest, onProgress?: (progress: FilesProgress) => void) =>
    new Promise<Exclude<VerifierResponse, { about: 'progress' | 'failure' }>>((resolve, reject) => {
      function hear(answer: VerifierResponse) {
        if (answer.id !== question.id) return
        if (answer.about === 'progress') {
          onProgress?.(answer.progress)
          return
        }
        worker.off('message', hear)
        worker.off('error', reject)
        if (answer.about === 'failure') reject(new Error(answer.message))
        else resolve(answer)
      }
      worker.on('message', hear)
      worker.once('error', reject)
      worker.postMessage(question)
    })

  return {
    async verifyReceipt(claim) {
      const answer = await ask({ id: ++lastId, about: 'receipt', claim })
      if (answer.about !== 'receipt') throw new Error('another answer')
      return answer.verdict
    },
    async verifyFiles(question, onProgress) {
      const answer = await ask({ id: ++lastId, about: 'files', ...question }, onProgress)
      if (answer.about !== 'files') throw new Error('another answer')
      return answer.verdict
    },
    close: async () => void (await worker.terminate()),
  }
}
