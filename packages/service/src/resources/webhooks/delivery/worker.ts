import { type Changes, createBatcher, type Db, startPeriodic } from '../../../db/index.js'
import { type Backoff, backoffMs, type Clock } from '../../../jobs/index.js'
import type { Outbound } from '../../../outbound/index.js'
import type { Secrets } from '../../../secrets/index.js'
import type { InsertClaim } from '../alerts/insert-occurrences.js'
import { signingSecrets } from '../endpoints/secret.js'
import { type AttemptOutcome, attemptDelivery } from './attempt.js'
import { createChangeTracker } from './change-tracker.js'
import { type ClaimedDelivery, claimDeliveries, readMsUntilDue, releaseDeliveries } from './claim.js'
import { createEndpointQueues, noCapacity } from './endpoint-queues.js'
import { type FinishedAttempt, recordOutcomes } from './record-outcomes.js'

export interface DeliveryWorker {
  /** For deliveries that this process is about to insert for these tenants. */
  claimOnInsert(tenantIds: ReadonlySet<string>): InsertClaim
  /** Claims due deliveries now. For tests that move the clock. */
  wake(): void
  /**
   * Stops claiming and waits up to `withinMs` for attempts in flight; those without an outcome by then are
   * repeated.
   */
  close(withinMs: number): Promise<void>
}

export interface DeliveryWorkerOptions {
  db: Db
  changes: Changes
  outbound: Outbound
  secrets: Secrets
  onError(error: unknown): void
  /** Called with the outcome of every attempt. */
  onAttempt?(outcome: AttemptOutcome): void
  clock?: Clock
  random?: () => number
}

interface QueuedDelivery extends ClaimedDelivery {
  /** The time of this process before the lease started. */
  claimedMs: number
}

/** The documented delays: 5 s after the first failure, doubled each time up to an hour. */
const retrySchedule: Backoff = { baseMs: 5_000, capMs: 3_600_000 }
// A delivery that was queued for longer could outlive its lease if it were sent now.
const maxQueuedMs = 4_000
// Polls at this interval in case a notification is lost.
const maxSleepMs = 30_000
const errorDelayMs = 500
const busyDelayMs = 50
// Signing and sending take about 50 µs each: the event loop must not be blocked for hundreds of them.
const maxStartsPerTick = 32

/** Sends due deliveries. Every replica runs a worker; a delivery is claimed by one of them at a time. */
export function startDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { db, changes, outbound, onError, clock = () => null, random = Math.random } = options
  const queues = createEndpointQueues<QueuedDelivery>()
  const endpointChanges = createChangeTracker()
  /** Attempts and releases that `close` waits for. */
  // Bounded: deliveries under way: 512.
  const pending = new Set<Promise<void>>()
  const outcomes = createBatcher<FinishedAttempt>({
    async write(finished) {
      await recordOutcomes(db, finished, clock())
      // Only now is it known when the next attempt is due.
      if (finished.some(({ delivered }) => !delivered)) loop.wake()
    },
    gatherMs: 10,
    // After its lease another replica sends the delivery again: giving up, when closed, costs a duplicate.
    retry: { afterMs: 500, onError },
  })
  let startScheduled = false
  let closing = false
  let abandoned = false

  changes.subscribe({
    onChange: ({ table, tenantId }) => {
      if (table === 'webhook_endpoints') releaseWaiting(tenantId)
      if (table === 'webhook_deliveries' || table === 'webhook_endpoints') loop.wake()
    },
    onGap() {
      releaseWaiting()
      loop.wake()
    },
  })

  /**
   * Queued deliveries contain their endpoint as it was when they were claimed: after a change they are claimed
   * again.
   */
  function releaseWaiting(tenantId?: string): void {
    endpointChanges.markChanged(tenantId)
    release(queues.removeWaiting(tenantId))
  }

  function release(deliveries: readonly QueuedDelivery[]): void {
    if (deliveries.length > 0) track(releaseDeliveries(db, deliveries).catch(onError))
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => pending.delete(tracked))
    pending.add(tracked)
  }

  /** Claims as many as there is capacity for; resolves with how long to wait for more, unless woken. */
  async function claimDue(): Promise<number> {
    const capacity = queues.claimCapacity({ prefetch: changes.connected() })
    const start = beginClaim()
    const claimed = capacity.total > 0 ? await claimDeliveries(db, capacity, clock()) : []
    queues.noteClaim(capacity, claimed)
    start(claimed)
    // An attempt that ends wakes the loop. The delay lets several end first, so that one claim serves all of them.
    if (capacity.total === 0) return maxSleepMs
    if (claimed.length >= capacity.total) return 0
    return claimed.length > 0 ? busyDelayMs : ((await readMsUntilDue(db, clock())) ?? maxSleepMs)
  }

  /** Called before the leases begin; the returned function is called with the claimed deliveries. */
  function beginClaim(): (claimed: readonly ClaimedDelivery[]) => void {
    const claimedMs = performance.now()
    const version = endpointChanges.version()
    return (claimed) => {
      const [current, outdated]: [QueuedDelivery[], QueuedDelivery[]] = [[], []]
      for (const delivery of claimed) {
        const stale = closing || endpointChanges.changedSince(version, delivery.tenant_id)
        ;(stale ? outdated : current).push({ ...delivery, claimedMs })
      }
      release(outdated)
      queues.add(current)
      scheduleStart()
    }
  }

  function scheduleStart(): void {
    if (startScheduled) return
    startScheduled = true
    setImmediate(startQueued)
  }

  function startQueued(): void {
    startScheduled = false
    if (closing) return
    const expired: QueuedDelivery[] = []
    let starts = 0
    for (let delivery = queues.startNext(); delivery; delivery = queues.startNext()) {
      if (performance.now() - delivery.claimedMs < maxQueuedMs) track(send(delivery))
      else {
        expired.push(delivery)
        queues.finish(delivery, null)
      }
      if (++starts === maxStartsPerTick) {
        scheduleStart()
        break
      }
    }
    release(expired)
  }

  async function send(delivery: QueuedDelivery): Promise<void> {
    const startedMs = performance.now()
    const outcome = await attempt(delivery)
    const successMs = outcome.delivered ? performance.now() - startedMs : null
    if (queues.finish(delivery, successMs)) loop.wake()
    if (abandoned) return
    // While notifications are missed, an endpoint may have changed: nothing may stay queued.
    if (!changes.connected()) release(queues.removeWaiting())
    scheduleStart()
    options.onAttempt?.(outcome)
    outcomes.add({
      endpointId: delivery.endpoint_id,
      id: delivery.id,
      leaseUntil: delivery.lease_until,
      maxAttempts: delivery.max_attempts,
      delayMs: backoffMs(retrySchedule, delivery.attempts + 1, random),
      ...outcome,
    })
  }

  async function attempt(delivery: QueuedDelivery): Promise<AttemptOutcome> {
    const { id, tenant_id: tenantId, event, data, created_at: createdAt, url, type, envelope } = delivery
    try {
      const row = { ...delivery, id: delivery.endpoint_id }
      const secrets = await signingSecrets(options.secrets, row, new Date())
      return await attemptDelivery(outbound, {
        ...{ id, tenantId, event, data, createdAt, url, type, envelope, secrets },
      })
    } catch (error) {
      onError(error)
      return {
        delivered: false,
        statusCode: null,
        error: 'The delivery could not be composed',
        durationMs: 0,
      }
    }
  }

  let delayMs = 0
  let failures = 0
  const loop = startPeriodic({
    async run() {
      delayMs = await claimDue()
      failures = 0
    },
    startsAtOnce: true,
    everyMs: () => Math.min(maxSleepMs, delayMs),
    onError(error) {
      onError(error)
      // A wake-up arrives when the database is back. Until then, retrying faster would only fill the log.
      delayMs = errorDelayMs * 2 ** failures++
    },
  })
  return {
    wake: loop.wake,
    claimOnInsert(tenantIds) {
      const capacity = changes.connected() && !closing ? queues.insertCapacity(tenantIds) : noCapacity
      return { capacity, start: beginClaim() }
    },
    async close(withinMs) {
      closing = true
      await loop.close()
      releaseWaiting()
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise((resolve) => {
        timer = setTimeout(resolve, withinMs)
      })
      await Promise.race([Promise.all(pending), timeout])
      clearTimeout(timer)
      abandoned = true
      await outcomes.close()
    },
  }
}
