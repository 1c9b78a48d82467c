import './node/global.js'
import type { Answer, Question } from '../protocol.js'
import { verifyFiles } from './verify-files.js'
import { verifyReceipt } from './verify-receipt.js'

/** The part of the worker's global scope that is used here; Node's types lack it. */
declare const self: {
  onmessage: ((event: { data: Question }) => void) | null
  postMessage(answer: Answer): void
}

async function answer(question: Question): Promise<Answer> {
  const { id, about } = question
  if (about === 'receipt') return { id, about, verdict: verifyReceipt(question.claim) }
  const verdict = await verifyFiles(question, (progress) =>
    self.postMessage({ id, about: 'progress', progress }),
  )
  return { id, about, verdict }
}

self.onmessage = ({ data: question }) => {
  answer(question)
    .catch((error): Answer => ({ id: question.id, about: 'failure', message: String(error) }))
    .then((message) => self.postMessage(message))
}
