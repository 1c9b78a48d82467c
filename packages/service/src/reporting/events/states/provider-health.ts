import type { RecordedEntry } from '../../../record/index.js'
import type { ProviderEvent } from '../schema.js'

const windowSeconds = 60
// A single failed call is not an outage; for a provider that is seldom called, three in a row are.
const failingCalls = 3
const failingShare = 0.5

/** Statuses by which a provider reports its own fault, or that it accepts no more requests for now. */
const isProvidersFault = (status: number) => status >= 500 || status === 429 || status === 408

interface Second {
  at: number
  calls: number
  failed: number
}

/**
 * The health of the providers of one tenant in the last minute, computed from its own receipts: whichever replica
 * made the calls, and without revealing those of other tenants.
 */
export class ProviderHealth {
  // Bounded: providers of a tenant, 60 seconds each, while there are open streams.
  readonly #secondsByProvider = new Map<string, Second[]>()
  // Bounded: the same providers.
  readonly #sent = new Map<string, ProviderEvent['status']>()

  /**
   * A call that never reached the provider, or whose end was not observed, proves nothing about it. Tool servers
   * have their own status.
   */
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

  /** Returns every provider that was called recently. */
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

  /** Returns the providers whose status has changed since the last call of this method. */
  changes(nowMs: number): ProviderEvent[] {
    const changed = this.read(nowMs).filter(({ provider, status }) => this.#sent.get(provider) !== status)
    for (const { provider, status } of changed) this.#sent.set(provider, status)
    return changed
  }
}
