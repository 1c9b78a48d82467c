import '../../../../sdk/src/portable/global.js'
import type { VerifierRequest, VerifierResponse } from '../protocol.js'
import { verifyFiles } from './verify-files.js'
import { verifyReceipt } from './verify-receipt.js'

/** The part of the worker's global scope that is used here; Node's types lack it. */
declare const self: {
  onmessage: ((event: { data: VerifierRequest }) => void) | null
  postMessage(answer: VerifierResponse): void
}

async function answer(request: VerifierRequest): Promise<VerifierResponse> {
  const { id, about } = request
  if (about === 'receipt') return { id, about, verdict: verifyReceipt(request.claim) }
  const verdict = await verifyFiles(request, (progress) =>
    self.postMessage({ id, about: 'progress', progress }),
  )
  return { id, about, verdict }
}

self.onmessage = ({ data: request }) => {
  answer(request)
    .catch((error): VerifierResponse => ({ id: request.id, about: 'failure', message: String(error) }))
    .then((message) => self.postMessage(message))
}
