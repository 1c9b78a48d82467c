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
  /** In milliseconds since 1970; null while the credential is active. */
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
  refusals?: readonly number[]
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
  report(credentialId: string, status: number, retryAfterMs: number | null, askedAtMs: number): void
  statuses(): CredentialStatus[]
}

// Long enough that a revoked key costs few calls, short enough that a repaired key is soon used again.
const refusedRestMs = 5 * 60_000
const defaultLimitedRestMs = 10_000
const maxLimitedRestMs = 5 * 60_000
const limited = 429
export const defaultRefusals: readonly number[] = [401, 403]

interface Seat {
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
  const { provider, now, refusals = defaultRefusals } = options
  const known = new Map(options.known?.map((status) => [status.id, status]))
  const seats = options.credentials.map((credential): Seat => {
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
    const [first] = seats
    if (first === undefined) return null
    if (seats.length === 1) return first.credential
    const nowMs = now()
    const active = seats.filter((seat) => seat.restsUntilMs <= nowMs)
    if (active.length === 0)
      return seats.reduce((a, b) => (b.restsUntilMs < a.restsUntilMs ? b : a)).credential
    let total = 0
    let best: Seat | null = null
    for (const seat of active) {
      seat.score += seat.credential.weight
      total += seat.credential.weight
      if (best === null || seat.score > best.score) best = seat
    }
    if (best === null) return null
    best.score -= total
    return best.credential
  }

  function report(
    credentialId: string,
    status: number,
    retryAfterMs: number | null,
    askedAtMs: number,
  ): void {
    const seat = seats.find(({ credential }) => credential.id === credentialId)
    if (seat === undefined) return
    if (refusals.includes(status)) refuse(seat, status)
    else if (status === limited) limit(seat, retryAfterMs)
    // A call that was sent before the error proves nothing about the time since. A pause after a rate limit
    // continues in any case.
    else if (status < 300 && seat.isRefused && askedAtMs > (seat.lastError?.atMs ?? 0)) {
      seat.isRefused = false
      seat.restsUntilMs = 0
    }
  }

  function refuse(seat: Seat, status: number): void {
    const nowMs = now()
    const isNews = !seat.isRefused
    seat.isRefused = true
    seat.lastError = {
      status,
      message: `${provider} answered ${status}: it refuses this credential`,
      atMs: nowMs,
    }
    rest(seat, nowMs + refusedRestMs)
    if (isNews)
      options.onFault?.({ credentialId: seat.credential.id, status, message: seat.lastError.message })
  }

  function limit(seat: Seat, retryAfterMs: number | null): void {
    const nowMs = now()
    const message = `${provider} answered ${limited}: this credential is over its rate limit`
    seat.lastError = { status: limited, message, atMs: nowMs }
    if (seats.length > 1) rest(seat, nowMs + Math.min(retryAfterMs ?? defaultLimitedRestMs, maxLimitedRestMs))
  }

  function rest(seat: Seat, untilMs: number): void {
    seat.restsUntilMs = Math.max(seat.restsUntilMs, untilMs)
    // After its pause it starts level with the others, instead of catching up on the calls it missed.
    seat.score = 0
  }

  function statuses(): CredentialStatus[] {
    const nowMs = now()
    return seats.map(({ credential, restsUntilMs, lastError }) => {
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
