import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import type { Cause } from '../../packages/service/src/main/probes/finding.js'
import { MetricsReading } from '../harness/reporting/metrics.js'
import { waitFor } from '../harness/run/wait.js'
import type { Replicas } from './replicas.js'

/** What a scraper reads of each replica at one moment. Null of one that does not answer. */
export interface Scrape {
  atMs: number
  pages: (MetricsReading | null)[]
}

/** What a monitoring system sees of a fault. */
export interface Observed {
  before: Scrape
  /** Two scrapes while the fault lasts. Empty when it is over at once. */
  during: Scrape[]
  after: Scrape
  /** The status of each replica and the causes, as /readyz said them. */
  statuses: Set<string>
  causes: Map<Cause, string>
}

// Those of replicas whose certificate has expired are read too.
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })

// A connection that stays open may lead to a worker that hangs.
const headers = { connection: 'close' }

async function get(url: string): Promise<string | null> {
  return await fetch(url, { headers, signal: AbortSignal.timeout(4_000), dispatcher }).then(
    async (response) => await response.text(),
    () => null,
  )
}

/** Asks the replicas for their readiness all the time, and for their metrics before, twice during, and after a fault. */
export class Observer {
  readonly #replicas: Replicas
  readonly #statuses = new Set<string>()
  readonly #causes = new Map<Cause, string>()
  readonly #during: Scrape[] = []
  #before: Scrape | undefined
  #isWatching = false
  #watching: Promise<unknown> = Promise.resolve()

  constructor(replicas: Replicas) {
    this.#replicas = replicas
  }

  /** Resolves when nothing is wrong. */
  async begin(): Promise<void> {
    this.#before = await this.#scrapeWell()
    this.#isWatching = true
    this.#watching = Promise.all(this.#replicas.all.map((_, index) => this.#watch(index)))
  }

  /** Watches a fault that lasts. */
  async lasts(seconds: number): Promise<void> {
    this.#statuses.clear()
    this.#causes.clear()
    await pause(seconds * 500)
    this.#during.push(await this.#scrape())
    await pause(seconds * 500)
    this.#during.push(await this.#scrape())
    // What is done to end the fault is not part of it.
    this.#isWatching = false
  }

  async stopWatching(): Promise<void> {
    this.#isWatching = false
    await this.#watching
  }

  /** What was seen. To be called when the calls of the fault have been recorded. */
  async end(): Promise<Observed> {
    const after = await this.#scrapeWell().catch(() => this.#scrape())
    return {
      ...{ before: this.#before ?? after, during: this.#during, after },
      ...{ statuses: this.#statuses, causes: this.#causes },
    }
  }

  async #watch(index: number): Promise<void> {
    for (; this.#isWatching; await pause(250)) {
      const address = this.#replicas.all[index]?.process?.address
      const text = address === undefined ? null : await get(`${address}/readyz`)
      if (this.#isWatching) this.#note(text === null ? null : JSON.parse(text))
    }
  }

  #note(
    answer: { status: string; checks: Record<string, { cause?: Cause; message?: string }> } | null,
  ): void {
    this.#statuses.add(answer?.status ?? 'no answer')
    for (const { cause, message = '' } of Object.values(answer?.checks ?? {}))
      if (cause !== undefined) this.#causes.set(cause, message)
  }

  async #scrapeWell(): Promise<Scrape> {
    const look = async () => {
      const scrape = await this.#scrape()
      return scrape.pages.every((page) => page?.of('tallystick_fault').length === 0) && scrape
    }
    return await waitFor('all replicas to be well', look, 60_000)
  }

  async #scrape(): Promise<Scrape> {
    const atMs = Date.now()
    const pages = await Promise.all(
      this.#replicas.all.map(async ({ process }) => {
        const text = process === undefined ? null : await get(`${process.address}/metrics`)
        return text === null ? null : new MetricsReading(text)
      }),
    )
    return { atMs, pages }
  }
}
