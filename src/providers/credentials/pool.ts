/** One of the keys that a provider may be called with. */
export interface Credential {
  id: string
  name: string
  value: string
  weight: number
}

export interface CredentialStatus {
  id: string
  status: 'active' | 'resting'
  /** In milliseconds since 1970; null while it is active. */
  restsUntilMs: number | null
  lastError: { status: number; message: string; atMs: number } | null
}

/** A credential that the provider refuses: told once, until it works again. */
export interface CredentialFault {
  credentialId: string
  status: number
  message: string
}

export interface CredentialPoolOptions {
  provider: string
  credentials: readonly Credential[]
  /** How those were that the pool has from the one before it. */
  known?: readonly CredentialStatus[]
  /** Statuses that say that a credential is refused. */
  refusals?: readonly number[]
  onFault?(fault: CredentialFault): void
  /** Milliseconds since 1970. */
  now(): number
}

/** Messages are in words of our own: the provider's may show parts of the key. */
export interface CredentialPool {
  /** Null when there are none at all. */
  pick(): Credential | null
  credentials: readonly Credential[]
  /** What the provider answered to a call with this credential, and when that call was made. */
  report(credentialId: string, status: number, retryAfterMs: number | null, askedAtMs: number): void
  statuses(): CredentialStatus[]
}

// Long enough that a revoked key costs few calls, short enough that one that was put right is soon used again.
const refusedRestMs = 5 * 60_000
const defaultLimitedRestMs = 10_000
const maxLimitedRestMs = 5 * 60_000
const limited = 429
export const defaultRefusals: readonly number[] = [401, 403]

interface Seat {
  credential: Credential
  /** Of smooth weighted choice: grows by the weight, falls by the sum of weights when chosen. */
  score: number
  restsUntilMs: number
  /** It was refused, and has not worked since: that has been told. */
  isRefused: boolean
  lastError: CredentialStatus['lastError']
}

/**
 * Which credential a call goes out with: smooth weighted choice among those that do not rest, so that in any run of calls each has
 * its share, and not a burst of it. One that was refused rests for five minutes; one that met its rate limit for as long as the
 * provider says, if there is another. If all rest, the one whose rest ends first is used: a call that fails at the provider
 * says more than one that was not tried.
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
    // A call that began before says nothing of what has happened since. After a limit the rest goes on in any case.
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
    // When it comes back it starts level with the others, instead of catching up with what it missed.
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
