import { Worker } from 'node:worker_threads'
import type { Tokenizer } from '../catalogue/model-properties.js'
import { findCut, maxTokensOf, type TokenCount } from './count-text.mjs'

/** Counts texts in one worker thread. Never rejects: see `upperBound`. */
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
  deaths: number
  resolve: (total: TokenCount) => void
}

// Jobs alternate in batches of this size, so that a 32 MiB prompt does not delay a 10 KiB one, and no more than
// this is ever copied to the worker at once.
const batchChars = 64 * 1024
const MAX_JOBS = 256
const MAX_DEATHS_PER_JOB = 2
const WORKER_HEAP_MB = 256

/**
 * A token stands for at least one byte, so there are never more tokens than bytes. Text that cannot be counted is
 * assumed to be this long: the call reserves too much and is corrected when it settles, so no limit is exceeded.
 */
function upperBound(texts: readonly string[]): TokenCount {
  const bound = texts.reduce((total, text) => total + maxTokensOf(text), 0)
  return { estimate: bound, bound }
}

export function createCountQueue({ workerUrl, onDegraded }: CountQueueOptions): CountQueue {
  // Bounded: 256; further jobs get their upper bound at once.
  const waiting: Job[] = []
  let current: { job: Job; batch: string[] } | undefined
  let worker: Worker | undefined
  let closed = false

  function count(texts: readonly string[], tokenizer: Tokenizer): Promise<TokenCount> {
    if (closed) return Promise.resolve(upperBound(texts))
    if (waiting.length >= MAX_JOBS) {
      onDegraded(`${MAX_JOBS} texts are waiting to be counted`)
      return Promise.resolve(upperBound(texts))
    }
    return new Promise((resolve) => {
      const total = { estimate: 0, bound: 0 }
      waiting.push({ texts, tokenizer, textIndex: 0, offset: 0, total, deaths: 0, resolve })
      if (current === undefined) takeTurn()
    })
  }

  function takeTurn(): void {
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
    const started = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB } })
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
    takeTurn()
  }

  function onExit(reason: string): void {
    worker = undefined
    if (closed || current === undefined) return
    const { job } = current
    job.deaths += 1
    if (job.deaths < MAX_DEATHS_PER_JOB) {
      send(current)
    } else {
      onDegraded(`the counting thread died: ${reason}`)
      job.resolve(upperBound(job.texts))
      takeTurn()
    }
  }

  async function close(): Promise<void> {
    closed = true
    const unfinished = current === undefined ? waiting : [current.job, ...waiting]
    current = undefined
    for (const job of unfinished.splice(0)) job.resolve(upperBound(job.texts))
    await worker?.terminate()
  }

  return { count, close }
}

function takeBatch(job: Job): string[] {
  const batch: string[] = []
  let room = batchChars
  for (let text = job.texts[job.textIndex]; text !== undefined && room > 0; text = job.texts[job.textIndex]) {
    const end = findCut(text, job.offset, room)
    batch.push(text.slice(job.offset, end))
    room -= end - job.offset
    job.offset = end
    // The few characters left after a cut would only force a bad one.
    if (end < text.length) break
    job.textIndex += 1
    job.offset = 0
  }
  return batch
}
