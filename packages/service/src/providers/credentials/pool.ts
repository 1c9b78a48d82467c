/** One of a provider's keys. */
export interface Credential {
  id: string
  name: string
  value: string
  weight: number
}

export interface CredentialStatus {
  id: string
  status: 'active' | 'resting'
  /** Milliseconds since 1970; null while the credential is active. */
  restsUntilMs: number | null
  lastError: { status: number; message: string; atMs: number } | null
}

/** A credential that the provider rejects. It is reported once, until the credential works again. */
export interface CredentialFault {
  credentialId: string
  status: number
  message: string
}

export interface CredentialPoolOptions {
  provider: string
  credentials: readonly Credential[]
  /** The states of these credentials in the pool that this one replaces. */
  known?: readonly CredentialStatus[]
  /** Statuses that mean that a credential is rejected. */
  rejectionStatuses?: readonly number[]
  onFault?(fault: CredentialFault): void
  /** Milliseconds since 1970. */
  now(): number
}

/**
 * Chooses the credential of each call. Error messages are this service's own: the provider's may contain parts of
 * the key.
 */
export interface CredentialPool {
  /** Returns null when the provider has no credentials. */
  pick(): Credential | null
  credentials: readonly Credential[]
  /** Reports the provider's status for a call with this credential, and when that call was sent. */
  report(credentialId: string, status: number, retryAfterMs: number | null, sentAtMs: number): void
  statuses(): CredentialStatus[]
}

// Long enough that a revoked key costs few calls, short enough that a repaired key is soon used again.
const refusedRestMs = 5 * 60_000
const defaultLimitedRestMs = 10_000
const maxLimitedRestMs = 5 * 60_000
const limited = 429
export const defaultRejectionStatuses: readonly number[] = [401, 403]

interface PooledCredential {
  credential: Credential
  /** The score of smooth weighted round-robin: grows by the weight, falls by the sum of weights when chosen. */
  score: number
  restsUntilMs: number
  /** The credential was rejected and has not worked since; this has been reported. */
  isRefused: boolean
  lastError: CredentialStatus['lastError']
}

/**
 * Chooses credentials by smooth weighted round-robin among those that are not paused: in any run of calls each gets
 * its share, without bursts. A rejected credential is paused for five minutes; one that hit its rate limit is
 * paused for as long as the provider requests, if there is another. When all are paused, the one whose pause ends
 * first is used, because a call that fails at the provider explains more than one that was never sent.
 */
export function createCredentialPool(options: CredentialPoolOptions): CredentialPool {
  const { provider, now, rejectionStatuses = defaultRejectionStatuses } = options
  const known = new Map(options.known?.map((status) => [status.id, status]))
  const pooled = options.credentials.map((credential): PooledCredential => {
    const status = known.get(credential.id)
    return {
      credential,
      score: 0,
      restsUntilMs: status?.restsUntilMs ?? 0,
      isRefused: status?.restsUntilMs != null && status.lastError?.status !== limited,
      lastError: status?.lastError ?? null,
    }
  })

  function pick(): Credential | null {
    const [first] = pooled
    if (first === undefined) return null
    if (pooled.length === 1) return first.credential
    const nowMs = now()
    const active = pooled.filter((entry) => entry.restsUntilMs <= nowMs)
    if (active.length === 0)
      return pooled.reduce((a, b) => (b.restsUntilMs < a.restsUntilMs ? b : a)).credential
    let total = 0
    let best: PooledCredential | null = null
    for (const entry of active) {
      entry.score += entry.credential.weight
      total += entry.credential.weight
      if (best === null || entry.score > best.score) best = entry
    }
    if (best === null) return null
    best.score -= total
    return best.credential
  }

  function report(credentialId: string, status: number, retryAfterMs: number | null, sentAtMs: number): void {
    const entry = pooled.find(({ credential }) => credential.id === credentialId)
    if (entry === undefined) return
    if (rejectionStatuses.includes(status)) restAfterRejection(entry, status)
    else if (status === limited) restAfterRateLimit(entry, retryAfterMs)
    // A call that was sent before the error proves nothing about the time since. A pause after a rate limit
    // continues in any case.
    else if (status < 300 && entry.isRefused && sentAtMs > (entry.lastError?.atMs ?? 0)) {
      entry.isRefused = false
      entry.restsUntilMs = 0
    }
  }

  function restAfterRejection(entry: PooledCredential, status: number): void {
    const nowMs = now()
    const isFirst = !entry.isRefused
    entry.isRefused = true
    entry.lastError = {
      status,
      message: `${provider} answered ${status}: it refuses this credential`,
      atMs: nowMs,
    }
    rest(entry, nowMs + refusedRestMs)
    if (isFirst)
      options.onFault?.({ credentialId: entry.credential.id, status, message: entry.lastError.message })
  }

  function restAfterRateLimit(entry: PooledCredential, retryAfterMs: number | null): void {
    const nowMs = now()
    const message = `${provider} answered ${limited}: this credential is over its rate limit`
    entry.lastError = { status: limited, message, atMs: nowMs }
    if (pooled.length > 1)
      rest(entry, nowMs + Math.min(retryAfterMs ?? defaultLimitedRestMs, maxLimitedRestMs))
  }

  function rest(entry: PooledCredential, untilMs: number): void {
    entry.restsUntilMs = Math.max(entry.restsUntilMs, untilMs)
    // After its pause it starts level with the others, instead of catching up on the calls it missed.
    entry.score = 0
  }

  function statuses(): CredentialStatus[] {
    const nowMs = now()
    return pooled.map(({ credential, restsUntilMs, lastError }) => {
      const isResting = restsUntilMs > nowMs
      return {
        id: credential.id,
        status: isResting ? 'resting' : 'active',
        restsUntilMs: isResting ? restsUntilMs : null,
        lastError,
      }
    })
  }

  return { pick, credentials: options.credentials, report, statuses }
}
