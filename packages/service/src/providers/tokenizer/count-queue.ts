import { Worker } from 'node:worker_threads'
import type { Tokenizer } from '../catalogue/model-properties.js'
import { findCut, type TokenCount } from './count-text.mjs'

/** Counts texts in one worker thread. */
export interface CountQueue {
  /** Returns the tokens of each text, or null when they cannot be counted. Never rejects. */
  count(texts: readonly string[], tokenizer: Tokenizer): Promise<TokenCount[] | null>
  close(): Promise<void>
}

export interface CountQueueOptions {
  workerUrl: URL
  onDegraded: (reason: string) => void
}

interface Job {
  texts: readonly string[]
  tokenizer: Tokenizer
  textIndex: number
  offset: number
  counts: TokenCount[]
  crashes: number
  resolve: (counts: TokenCount[] | null) => void
}

// A batch holds the rest of the text at `firstIndex` from `offset` on, and further texts.
interface Batch {
  firstIndex: number
  texts: string[]
}

// Jobs alternate in batches of this size, so that a 32 MiB prompt does not delay a 10 KiB one, and no more than
// this is ever copied to the worker at once.
const batchChars = 64 * 1024
const maxJobs = 256
const maxCrashesPerJob = 2
const workerHeapMb = 256

export function createCountQueue({ workerUrl, onDegraded }: CountQueueOptions): CountQueue {
  // Bounded: 256; further jobs get their upper bound at once.
  const waiting: Job[] = []
  let current: { job: Job; batch: Batch } | undefined
  let worker: Worker | undefined
  let closed = false

  function count(texts: readonly string[], tokenizer: Tokenizer): Promise<TokenCount[] | null> {
    if (closed) return Promise.resolve(null)
    if (waiting.length >= maxJobs) {
      onDegraded(`${maxJobs} texts are waiting to be counted`)
      return Promise.resolve(null)
    }
    return new Promise((resolve) => {
      const counts = texts.map(() => ({ estimate: 0, bound: 0 }))
      waiting.push({ texts, tokenizer, textIndex: 0, offset: 0, counts, crashes: 0, resolve })
      if (current === undefined) startNext()
    })
  }

  function startNext(): void {
    const job = waiting.shift()
    current = job && { job, batch: takeBatch(job) }
    if (current === undefined) worker?.unref()
    else send(current)
  }

  function send({ job, batch }: { job: Job; batch: Batch }): void {
    worker ??= start()
    worker.ref()
    worker.postMessage({ texts: batch.texts, tokenizer: job.tokenizer })
  }

  function start(): Worker {
    const started = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: workerHeapMb } })
    let failure = ''
    started.on('message', onCounted)
    started.on('error', (error) => {
      failure = error instanceof Error ? error.message : String(error)
    })
    started.on('exit', (code) => onExit(failure || `exit code ${code}`))
    return started
  }

  function onCounted(counts: TokenCount[]): void {
    if (current === undefined) return
    const { job, batch } = current
    counts.forEach(({ estimate, bound }, index) => {
      const count = job.counts[batch.firstIndex + index]
      if (count === undefined) return
      count.estimate += estimate
      count.bound += bound
    })
    if (job.textIndex < job.texts.length) waiting.push(job)
    else job.resolve(job.counts)
    startNext()
  }

  function onExit(reason: string): void {
    worker = undefined
    if (closed || current === undefined) return
    const { job } = current
    job.crashes += 1
    if (job.crashes < maxCrashesPerJob) {
      send(current)
    } else {
      onDegraded(`the token-counting thread crashed: ${reason}`)
      job.resolve(null)
      startNext()
    }
  }

  async function close(): Promise<void> {
    closed = true
    const unfinished = current === undefined ? waiting : [current.job, ...waiting]
    current = undefined
    for (const job of unfinished.splice(0)) job.resolve(null)
    await worker?.terminate()
  }

  return { count, close }
}

function takeBatch(job: Job): Batch {
  const firstIndex = job.textIndex
  const texts: string[] = []
  let freeChars = batchChars
  for (
    let text = job.texts[job.textIndex];
    text !== undefined && freeChars > 0;
    text = job.texts[job.textIndex]
  ) {
    const end = findCut(text, job.offset, freeChars)
    texts.push(text.slice(job.offset, end))
    freeChars -= end - job.offset
    job.offset = end
    // The few characters that are left would have no good position for a cut.
    if (end < text.length) break
    job.textIndex += 1
    job.offset = 0
  }
  return { firstIndex, texts }
}
