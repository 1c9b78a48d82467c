import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Agent, request } from 'undici'
import { withDeadline } from '../../shared/deadline.js'
import type { EncodedCall } from './encode-call.js'
import { type Batch, createSpanQueue } from './span-queue.js'

export interface ExporterOptions {
  url: string
  headers: Readonly<Record<string, string>>
  isCompressed: boolean
  timeoutMs: number
  head: string
  tail: string
  /** Called with every number of spans that were taken, or were not and will not be. */
  onExported(spans: number): void
  onDropped(spans: number, why: string): void
  delayMs?: number
  minRetryMs?: number
  maxQueueBytes?: number
}

export interface Exporter {
  add(call: EncodedCall): void
  /** Sends what is waiting, for as long as this. What is left then is dropped. */
  close(graceMs: number): Promise<void>
}

type Verdict = 'taken' | 'dropped' | { retryAfterMs: number | null }

const maxAttempts = 8
const maxRetryMs = 30_000
const maxAnswerBytes = 64 * 1024
const retryable = new Set([429, 502, 503, 504])
const compress = promisify(gzip)

/**
 * Sends spans in batches, one request at a time. Calls never wait for it: what waits is bounded in bytes, and what does not fit
 * is dropped and counted.
 */
export function createExporter(options: ExporterOptions): Exporter {
  const { delayMs = 1_000, minRetryMs = 1_000, maxQueueBytes = 16 * 1024 * 1024 } = options
  const agent = new Agent({ connections: 1, pipelining: 1, connect: { timeout: options.timeoutMs } })
  const closing = new AbortController()
  const queue = createSpanQueue(options.head, options.tail, maxQueueBytes)
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> | null = null
  let wake: () => void = () => undefined
  let isClosing = false

  function add(call: EncodedCall): void {
    if (isClosing || !queue.add(call)) {
      options.onDropped(call.count, isClosing ? 'the service has stopped' : 'too many wait for the collector')
      return
    }
    if (sending !== null) return
    if (queue.hasFull()) start()
    else timer ??= setTimeout(start, delayMs).unref()
  }

  function start(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    sending ??= sendAll().finally(() => {
      sending = null
      if (!queue.isEmpty() && !isClosing) timer ??= setTimeout(start, delayMs).unref()
    })
  }

  /** Until less is left than is worth a request. */
  async function sendAll(): Promise<void> {
    do {
      const batch = queue.take()
      if (batch === null) return
      await sendBatch(batch)
      queue.recycle(batch)
    } while (isClosing || queue.hasFull())
  }

  async function sendBatch({ bytes: plain, spans }: Batch): Promise<void> {
    const bytes = options.isCompressed ? await compress(plain) : plain
    let why = ''
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const { verdict, fault } = await post(bytes, spans)
      if (verdict === 'taken') return
      why = fault
      if (verdict === 'dropped') break
      if (closing.signal.aborted || attempt === maxAttempts) break
      const backoffMs = Math.min(maxRetryMs, minRetryMs * 2 ** (attempt - 1))
      // The same for all replicas would bring all of them back at the same moment.
      await pause(verdict.retryAfterMs ?? backoffMs * (0.5 + Math.random() / 2))
    }
    options.onDropped(spans, why)
  }

  async function post(bytes: Buffer, spans: number): Promise<{ verdict: Verdict; fault: string }> {
    const signal = withDeadline(closing.signal, options.timeoutMs)
    try {
      const { statusCode, headers, body } = await request(options.url, {
        method: 'POST',
        dispatcher: agent,
        signal,
        headers: {
          ...options.headers,
          'content-type': 'application/json',
          ...(options.isCompressed && { 'content-encoding': 'gzip' }),
        },
        body: bytes,
      })
      const answer = await readStart(body)
      if (statusCode >= 200 && statusCode <= 299) {
        const rejected = Math.min(spans, rejectedSpans(answer))
        if (spans > rejected) options.onExported(spans - rejected)
        if (rejected > 0)
          options.onDropped(rejected, 'the collector took the request, but not all of its spans')
        return { verdict: 'taken', fault: '' }
      }
      const fault = `the collector answered ${statusCode}`
      if (!retryable.has(statusCode)) return { verdict: 'dropped', fault }
      return { verdict: { retryAfterMs: readRetryAfter(headers['retry-after']) }, fault }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : nameOf(error)
      return { verdict: { retryAfterMs: null }, fault: `the collector cannot be reached (${code})` }
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = setTimeout(resolve, ms).unref()
      wake = () => {
        clearTimeout(waiting)
        resolve()
      }
    })
  }

  return {
    add,
    async close(graceMs) {
      isClosing = true
      const deadline = setTimeout(() => {
        closing.abort()
        wake()
      }, graceMs)
      // A batch that waits for its next attempt gets it now.
      wake()
      // What is under way first; then all that is left, until the deadline makes every attempt fail at once.
      await sending
      if (!queue.isEmpty()) start()
      await sending
      clearTimeout(deadline)
      await agent.destroy()
    },
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** Enough for what the protocol says. The rest of a longer one is not read. */
async function readStart(body: AsyncIterable<Buffer> & { destroy?: () => void }): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxAnswerBytes) {
      body.destroy?.()
      break
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function rejectedSpans(answer: string): number {
  try {
    const read: { partialSuccess?: { rejectedSpans?: unknown } } | null = JSON.parse(answer)
    const rejected = Number(read?.partialSuccess?.rejectedSpans ?? 0)
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0
  } catch {
    // It said yes: what else it says need not be JSON.
    return 0
  }
}

/** Seconds, or a date. */
function readRetryAfter(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), maxRetryMs)
}
