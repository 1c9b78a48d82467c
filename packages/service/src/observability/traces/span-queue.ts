import type { EncodedCall } from './encode-call.js'

/** The spans of one request, as the bytes of a complete message. */
export interface Batch {
  bytes: Buffer
  spans: number
}

const batchBytes = 512 * 1024
const maxSpare = 2
const comma = 0x2c

/** Spans that wait to be sent. */
export interface SpanQueue {
  /** Returns false when the queue is full. */
  add(call: EncodedCall): boolean
  isEmpty(): boolean
  /** Returns whether a batch has reached its full size. */
  hasFull(): boolean
  /** Removes the oldest batch. */
  take(): Batch | null
  /** Reuses the buffer of a batch that was sent or dropped. */
  recycle(batch: Batch): void
}

/**
 * Creates a queue of at most `maxBytes`. Spans are written into the buffer of their message immediately: kept as strings, they
 * would be thousands of small objects until they are sent, and garbage collection would cost more than everything else.
 */
export function createSpanQueue(head: string, tail: string, maxBytes: number): SpanQueue {
  const headBytes = Buffer.from(head)
  const tailBytes = Buffer.from(tail)
  // Bounded: `maxBytes`; what does not fit is dropped and counted.
  const full: Batch[] = []
  // Bounded: 2.
  const spare: Buffer[] = []
  /** The batch that is being written. */
  let open: Buffer | null = null
  let used = 0
  let count = 0
  let queuedBytes = 0

  function startBatch(size: number): Buffer {
    const needed = headBytes.length + size + tailBytes.length
    const buffer = needed > batchBytes ? Buffer.alloc(needed) : (spare.pop() ?? Buffer.alloc(batchBytes))
    used = headBytes.copy(buffer)
    count = 0
    return buffer
  }

  function finishBatch(): void {
    if (open === null) return
    const end = used + tailBytes.copy(open, used)
    full.push({ bytes: open.subarray(0, end), spans: count })
    queuedBytes += headBytes.length + tailBytes.length
    open = null
  }

  const isEmpty = () => full.length === 0 && open === null

  return {
    add(call) {
      const { spans } = call
      const size = Buffer.byteLength(spans) + 1
      if (queuedBytes + size > maxBytes) return false
      if (open !== null && used + size + tailBytes.length > open.length) finishBatch()
      open ??= startBatch(size)
      if (count > 0) {
        open[used] = comma
        used++
      }
      used += open.write(spans, used)
      count += call.count
      queuedBytes += size
      return true
    },
    isEmpty,
    hasFull: () => full.length > 0,
    take() {
      if (full.length === 0) finishBatch()
      const batch = full.shift() ?? null
      if (batch !== null) queuedBytes -= batch.bytes.length
      if (isEmpty()) queuedBytes = 0
      return batch
    },
    recycle({ bytes }) {
      if (bytes.buffer.byteLength === batchBytes && spare.length < maxSpare)
        spare.push(Buffer.from(bytes.buffer))
    },
  }
}
