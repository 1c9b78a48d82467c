import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'
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
  /** Called with the number of spans that the collector accepted, or that are dropped. */
  onExported(spans: number): void
  onDropped(spans: number, why: string): void
  /** Closed with the exporter. An agent without proxies when left out. */
  agent?: Dispatcher
  delayMs?: number
  minRetryMs?: number
  maxQueueBytes?: number
}

export interface Exporter {
  add(call: EncodedCall): void
  /** Sends the queued spans for at most `graceMs`, then drops the rest. */
  close(graceMs: number): Promise<void>
}

type SendResult = 'accepted' | 'dropped' | { retryAfterMs: number | null }

const maxAttempts = 8
const maxRetryMs = 30_000
const maxAnswerBytes = 64 * 1024
const retryable = new Set([429, 502, 503, 504])
const compress = promisify(gzip)

/**
 * Sends spans or log records in batches, one request at a time. Calls never wait for it: the queue is bounded in bytes, and what does not
 * fit is dropped and counted.
 */
export function createExporter(options: ExporterOptions): Exporter {
  const { delayMs = 1_000, minRetryMs = 1_000, maxQueueBytes = 16 * 1024 * 1024 } = options
  const { agent = new Agent({ connections: 1, pipelining: 1, connect: { timeout: options.timeoutMs } }) } =
    options
  const closing = new AbortController()
  const queue = createSpanQueue(options.head, options.tail, maxQueueBytes)
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> | null = null
  let wake: () => void = () => undefined
  let isClosing = false

  function add(call: EncodedCall): void {
    if (isClosing || !queue.add(call)) {
      options.onDropped(
        call.count,
        isClosing ? 'the service has stopped' : 'the queue for the collector is full',
      )
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

  /** Sends until less than a full batch is left. */
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
      const { result, fault } = await post(bytes, spans)
      if (result === 'accepted') return
      why = fault
      if (result === 'dropped') break
      if (closing.signal.aborted || attempt === maxAttempts) break
      const backoffMs = Math.min(maxRetryMs, minRetryMs * 2 ** (attempt - 1))
      // Random, so that replicas do not all retry at the same moment.
      await pause(result.retryAfterMs ?? backoffMs * (0.5 + Math.random() / 2))
    }
    options.onDropped(spans, why)
  }

  async function post(bytes: Buffer, spans: number): Promise<{ result: SendResult; fault: string }> {
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
        const rejected = Math.min(spans, rejectedOf(answer))
        if (spans > rejected) options.onExported(spans - rejected)
        if (rejected > 0) options.onDropped(rejected, 'the collector accepted the request, but not all of it')
        return { result: 'accepted', fault: '' }
      }
      const fault = `the collector answered ${statusCode}`
      if (!retryable.has(statusCode)) return { result: 'dropped', fault }
      return { result: { retryAfterMs: readRetryAfter(headers['retry-after']) }, fault }
    } catch (error) {
      return { result: { retryAfterMs: null }, fault: `the collector cannot be reached (${reasonOf(error)})` }
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
      // A batch that waits for its next attempt is sent now.
      wake()
      // The current batch first, then the rest, until the deadline makes every attempt fail immediately.
      await sending
      if (!queue.isEmpty()) start()
      await sending
      clearTimeout(deadline)
      await agent.destroy()
    },
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (!('code' in error)) return error.name
  return error.code === 'PROXY_FAILED' ? error.message : String(error.code)
}

/** Reads enough of the answer for the protocol, and ignores the rest. */
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

interface Answer {
  partialSuccess?: { rejectedSpans?: unknown; rejectedLogRecords?: unknown }
}

function rejectedOf(answer: string): number {
  try {
    const read: Answer | null = JSON.parse(answer)
    const { rejectedSpans, rejectedLogRecords } = read?.partialSuccess ?? {}
    const rejected = Number(rejectedSpans ?? rejectedLogRecords ?? 0)
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0
  } catch {
    // The status reports success, and the body need not be JSON.
    return 0
  }
}

/** The header is a number of seconds or a date. */
function readRetryAfter(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), maxRetryMs)
}
