import type {
  Fields,
  FilesProgress,
  FilesVerdict,
  ReceiptClaim,
  ReceiptVerdict,
  VerifierRequest,
  VerifierResponse,
} from './protocol'

export type {
  Fields,
  FilesProgress,
  FilesVerdict,
  ReceiptClaim,
  ReceiptVerdict,
} from './protocol'

// The verifier of packages/record runs in a web worker. It is loaded when something is verified, and its input never leaves the
// browser.

const openWorker = () => new Worker(new URL('./worker/main.ts', import.meta.url), { type: 'module' })

/** Reused, because users verify one call after another. */
let receiptWorker: Worker | undefined
let lastId = 0

/** Verifies that a receipt is in the record under its checkpoint. */
export async function verifyReceipt(claim: ReceiptClaim, signal?: AbortSignal): Promise<ReceiptVerdict> {
  receiptWorker ??= openWorker()
  const answer = await sendRequest(receiptWorker, { id: ++lastId, about: 'receipt', claim }, { signal })
  if (answer.about !== 'receipt') throw new Error('The verifier answered something else')
  return answer.verdict
}

export interface VerifyFilesOptions {
  /** The trusted keys: those that the service publishes, or those that the user stored. */
  keys: readonly Fields[]
  /** Recomputes the cost of every call. */
  costs?: boolean
  onProgress?: (progress: FilesProgress) => void
  signal?: AbortSignal
}

/** Verifies exports, proofs and attestations with the same result as `tallystick verify`. */
export async function verifyFiles(
  files: readonly File[],
  { keys, costs = false, onProgress, signal }: VerifyFilesOptions,
): Promise<FilesVerdict> {
  const worker = openWorker()
  try {
    const request: VerifierRequest = {
      id: ++lastId,
      about: 'files',
      files: files.map((file) => ({ name: file.name, content: file })),
      keys,
      costs,
    }
    const answer = await sendRequest(worker, request, { onProgress, signal })
    if (answer.about !== 'files') throw new Error('The verifier answered something else')
    return answer.verdict
  } finally {
    worker.terminate()
  }
}

interface RequestOptions {
  onProgress?: ((progress: FilesProgress) => void) | undefined
  signal?: AbortSignal | undefined
}

function sendRequest(
  worker: Worker,
  request: VerifierRequest,
  { onProgress, signal }: RequestOptions,
): Promise<VerifierResponse> {
  const settled = new AbortController()
  return new Promise<VerifierResponse>((resolve, reject) => {
    const { signal: over } = settled
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<VerifierResponse>) => {
        if (data.id !== request.id) return
        if (data.about === 'progress') onProgress?.(data.progress)
        else if (data.about === 'failure') reject(new Error(data.message))
        else resolve(data)
      },
      { signal: over },
    )
    worker.addEventListener(
      'error',
      (event) => reject(new Error(event.message || 'The verifier could not be loaded')),
      { signal: over },
    )
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: over })
    signal?.throwIfAborted()
    worker.postMessage(request)
  }).finally(() => settled.abort())
}
