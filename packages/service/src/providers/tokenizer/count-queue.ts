import { Worker } from 'node:worker_threads'
import type { Tokenizer } from '../catalogue/model-properties.js'
import { boundByBytes } from './byte-bound.js'
import { findCut, type TokenCount } from './count-text.mjs'

/**
 * Counts texts in one worker thread. Never rejects. Text that cannot be counted is assumed to have a token for each byte: the call reserves
 * too much and is corrected when it settles, so no limit is exceeded.
 */
export interface CountQueue {
  count(texts: readonly string[], tokenizer: Tokenizer): Promise<TokenCount>
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
  total: TokenCount
  crashes: number
  resolve: (total: TokenCount) => void
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
  let current: { job: Job; batch: string[] } | undefined
  let worker: Worker | undefined
  let closed = false

  function count(texts: readonly string[], tokenizer: Tokenizer): Promise<TokenCount> {
    if (closed) return Promise.resolve(boundByBytes(texts, tokenizer))
    if (waiting.length >= maxJobs) {
      onDegraded(`${maxJobs} texts are waiting to be counted`)
      return Promise.resolve(boundByBytes(texts, tokenizer))
    }
    return new Promise((resolve) => {
      const total = { estimate: 0, bound: 0 }
      waiting.push({ texts, tokenizer, textIndex: 0, offset: 0, total, crashes: 0, resolve })
      if (current === undefined) startNext()
    })
  }

  function startNext(): void {
    const job = waiting.shift()
    current = job && { job, batch: takeBatch(job) }
    if (current === undefined) worker?.unref()
    else send(current)
  }

  function send({ job, batch }: { job: Job; batch: string[] }): void {
    worker ??= start()
    worker.ref()
    worker.postMessage({ texts: batch, tokenizer: job.tokenizer })
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

  function onCounted({ estimate, bound }: TokenCount): void {
    if (current === undefined) return
    const { job } = current
    job.total.estimate += estimate
    job.total.bound += bound
    if (job.textIndex < job.texts.length) waiting.push(job)
    else job.resolve(job.total)
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
      job.resolve(boundByBytes(job.texts, job.tokenizer))
      startNext()
    }
  }

  async function close(): Promise<void> {
    closed = true
    const unfinished = current === undefined ? waiting : [current.job, ...waiting]
    current = undefined
    for (const job of unfinished.splice(0)) job.resolve(boundByBytes(job.texts, job.tokenizer))
    await worker?.terminate()
  }

  return { count, close }
}

function takeBatch(job: Job): string[] {
  const batch: string[] = []
  let freeChars = batchChars
  for (
    let text = job.texts[job.textIndex];
    text !== undefined && freeChars > 0;
    text = job.texts[job.textIndex]
  ) {
    const end = findCut(text, job.offset, freeChars)
    batch.push(text.slice(job.offset, end))
    freeChars -= end - job.offset
    job.offset = end
    // The few characters that are left would have no good position for a cut.
    if (end < text.length) break
    job.textIndex += 1
    job.offset = 0
  }
  return batch
}
