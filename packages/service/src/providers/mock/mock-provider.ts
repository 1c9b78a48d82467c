import { endpoints } from '../endpoints/index.js'
import type { Provider, UpstreamCall, UpstreamRequest, UpstreamSink } from '../provider.js'
import { composeAnswer } from './compose-answer.js'

const slowStepMs = 250

/** The mock provider in the form of provider settings. It has no address. */
export const mockSettings = {
  id: 'prov_config_mock',
  name: 'mock',
  type: 'mock',
  baseUrl: '',
  headers: {},
  dialects: Object.keys(endpoints),
  options: {},
  auth: 'own',
  references: 'issued',
  pricesOf: 'mock',
  credentials: [],
} as const

/**
 * Creates a provider inside the process: `echo` repeats the last message, `slow` does so word by word with pauses,
 * and `fail` answers 500. It supports every dialect, plain and streamed.
 */
export function createMockProvider(): Provider {
  const { id, name, dialects, pricesOf, auth, references } = mockSettings
  return {
    ...{ id, name, dialects, pricesOf, auth, references },
    hangUpGraceMs: 5_000,
    limits: { maxStreamBytes: 2 ** 29, maxAnswerBytes: 2 ** 27 },
    credentialCount: 0,
    credentialRejectionStatuses: [401, 403],
    credentials: () => [],
    check: async () => ({ ok: true, latencyMs: 0, error: null }),
    pickHeaders: () => ({}),
    transport: { send, retire: () => undefined, close: async () => undefined },
  }
}

function send(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
  let over = false
  let paused = false
  const answer = composeAnswer(request)
  const pieces = answer.pieces.values()

  const wait = (step: () => void) => {
    if (request.model === 'slow') setTimeout(step, slowStepMs)
    else setImmediate(step)
  }
  function step(): void {
    if (over) return
    const next = pieces.next()
    if (next.done) {
      over = true
      sink.end()
    } else {
      paused = !sink.data(Buffer.from(next.value))
      if (!paused) wait(step)
    }
  }
  wait(() => {
    if (over) return
    sink.head(answer.status, { 'content-type': answer.contentType })
    step()
  })

  return {
    resume() {
      if (!paused) return
      paused = false
      wait(step)
    },
    abort() {
      over = true
    },
  }
}
