import { createCountQueue, upperBoundTokens } from './tokenizer/count-queue.js'
import { createTextCounter } from './tokenizer/count-text.mjs'

export interface TokenCounter {
  /**
   * Tokens of all texts together, in the o200k_base encoding. Never rejects: what cannot be counted
   * (a thread that keeps dying, a full queue, after `close`) is answered with its upper bound.
   */
  count(texts: readonly string[]): Promise<number>
  close(): Promise<void>
}

export interface TokenCounterOptions {
  /** Told in words whenever an answer is the upper bound instead of a count. */
  onDegraded?: (reason: string) => void
}

// Measured with Node 20 on two shared cores. On the spot: 100 tokens 15 µs, 1,000 tokens 180 µs, 4 KiB of random
// letters (the worst found) 6 ms. In the thread: 0.4 ms for a round trip, 65 ms for 1 MiB of prose, 5 s for 1 MiB
// of random Chinese. The first long text also waits 0.3 s for the thread to start.
const ON_THE_SPOT_BYTES = 4096

/** Loads the encoding before it resolves, so that no call has to wait for that. */
export async function createTokenCounter(options: TokenCounterOptions = {}): Promise<TokenCounter> {
  const onTheSpot = await createTextCounter()
  const queue = createCountQueue({
    workerUrl: new URL('./tokenizer/count-worker.mjs', import.meta.url),
    onDegraded: options.onDegraded ?? (() => {}),
  })

  async function count(texts: readonly string[]): Promise<number> {
    if (!isShort(texts)) return queue.count(texts)
    return texts.reduce((tokens, text) => tokens + onTheSpot.count(text), 0)
  }

  return { count, close: queue.close }
}

function isShort(texts: readonly string[]): boolean {
  const chars = texts.reduce((total, text) => total + text.length, 0)
  return chars <= ON_THE_SPOT_BYTES && upperBoundTokens(texts) <= ON_THE_SPOT_BYTES
}
