import type { RecordedEntry } from '../../ledger/index.js'
import type { ProviderEvent } from './schema.js'

const windowSeconds = 60
// One call that failed is no outage; of a provider that is seldom called, three in a row are.
const failingCalls = 3
const failingShare = 0.5

/** What a provider answers when the fault is its own, or when it takes no more for now. */
const isProvidersFault = (status: number) => status >= 500 || status === 429 || status === 408

interface Second {
  at: number
  calls: number
  failed: number
}

/**
 * How the providers did for one tenant in the last minute, by its own receipts: whichever replica made the calls, and without a word on
 * those of other tenants.
 */
export class ProviderHealth {
  readonly #secondsByProvider = new Map<string, Second[]>()
  readonly #told = new Map<string, ProviderEvent['status']>()

  /** A call that the provider never had, or whose end nobody saw, says nothing about it. Servers of tools have a status of their own. */
  note({ draft }: Pick<RecordedEntry, 'draft'>, nowMs: number): void {
    const { kind, provider, outcome, status = 0, ts, latencyMs = 0 } = draft
    if (provider === undefined || kind === 'tool') return
    if (outcome !== 'ok' && outcome !== 'redacted' && outcome !== 'upstream_error') return
    const at = Math.floor(Math.min(Date.parse(ts) + latencyMs, nowMs) / 1_000)
    const seconds = this.#secondsByProvider.get(provider) ?? []
    this.#secondsByProvider.set(provider, seconds)
    let second = seconds.find((each) => each.at === at)
    if (second === undefined) {
      second = { at, calls: 0, failed: 0 }
      seconds.push(second)
    }
    second.calls += 1
    if (outcome === 'upstream_error' && isProvidersFault(status)) second.failed += 1
  }

  /** Of every provider that was called lately. */
  read(nowMs: number): ProviderEvent[] {
    const since = Math.floor(nowMs / 1_000) - windowSeconds
    return [...this.#secondsByProvider].map(([provider, seconds]) => {
      const recent = seconds.filter(({ at }) => at > since)
      this.#secondsByProvider.set(provider, recent)
      const calls = recent.reduce((sum, each) => sum + each.calls, 0)
      const failed = recent.reduce((sum, each) => sum + each.failed, 0)
      const isFailing = failed >= failingCalls && failed >= calls * failingShare
      const status = calls === 0 ? 'quiet' : isFailing ? 'failing' : 'up'
      return { provider, status, calls, failed, windowSeconds }
    })
  }

  /** Those whose status is another one than when this was asked last. */
  changes(nowMs: number): ProviderEvent[] {
    const changed = this.read(nowMs).filter(({ provider, status }) => this.#told.get(provider) !== status)
    for (const { provider, status } of changed) this.#told.set(provider, status)
    return changed
  }
}
