import type { Changes, Db } from '../../db/index.js'
import type { Outbound } from '../../outbound/index.js'
import { type AttemptOutcome, tryDelivery } from './attempt.js'
import { delayAfterMs } from './backoff.js'
import { type ClaimedDelivery, type Clock, claimDeliveries, readWaitMs } from './claim.js'
import { createFinisher } from './finisher.js'
import { createLanes } from './lanes.js'
import { secretsOf } from './secret.js'

export interface DeliveryWorker {
  /** Looks for what is due, for whoever moved the clock or knows of something new. */
  wake(): void
  /** Takes nothing new, and waits for attempts under way, but not for long; what is not known by then is tried again. */
  close(withinMs: number): Promise<void>
}

export interface DeliveryWorkerOptions {
  db: Db
  changes: Changes
  outbound: Outbound
  onError(error: unknown): void
  /** Told of every attempt whose outcome is known. */
  onAttempt?(outcome: AttemptOutcome): void
  clock?: Clock
  random?: () => number
}

// An answer that takes longer costs the endpoint part of its places.
const promptMs = 1_000
// Should a wake-up be lost.
const longestRestMs = 30_000
const restAfterErrorMs = 500
const restWhileBusyMs = 50

/** Sends what is due. Any number of replicas run one; a delivery is claimed by one of them at a time. */
export function startDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { db, changes, outbound, onError, clock = () => null, random = Math.random } = options
  const lanes = createLanes()
  const finisher = createFinisher({ db, clock, onError })
  const underWay = new Set<Promise<void>>()
  const bell = createBell()
  let closing = false
  let abandoned = false

  changes.subscribe({
    onChange: ({ table }) => {
      if (table === 'webhook_deliveries' || table === 'webhook_endpoints') bell.ring()
    },
    onGap: bell.ring,
  })

  async function run(): Promise<void> {
    let failures = 0
    while (!closing) {
      let restMs: number
      try {
        restMs = await serve()
        failures = 0
      } catch (error) {
        onError(error)
        // The bell rings when the database is back; until then there is no hurry, and no need to fill the log.
        restMs = restAfterErrorMs * 2 ** failures++
      }
      await bell.heard(Math.min(longestRestMs, restMs))
    }
  }

  /** Starts all that may be started now; resolves with how long there is nothing to do, unless something happens. */
  async function serve(): Promise<number> {
    const room = lanes.room()
    if (room.inAll <= 0) return longestRestMs
    const claimed = await claimDeliveries(db, room, clock())
    for (const delivery of claimed) start(delivery)
    // What is under way rings the bell when it ends, so that the next look is soon, and takes several at once.
    return claimed.length > 0 ? restWhileBusyMs : ((await readWaitMs(db, clock())) ?? longestRestMs)
  }

  function start(delivery: ClaimedDelivery): void {
    lanes.started(delivery.endpoint_id)
    const attempt = carryOut(delivery).finally(() => {
      underWay.delete(attempt)
      bell.ring()
    })
    underWay.add(attempt)
  }

  async function carryOut(delivery: ClaimedDelivery): Promise<void> {
    const startedMs = performance.now()
    const outcome = await attemptOne(delivery)
    const prompt = outcome.delivered && performance.now() - startedMs < promptMs
    lanes.ended(delivery.endpoint_id, prompt)
    if (abandoned) return
    options.onAttempt?.(outcome)
    finisher.add({
      endpointId: delivery.endpoint_id,
      id: delivery.id,
      leaseUntil: delivery.lease_until,
      maxAttempts: delivery.max_attempts,
      delayMs: delayAfterMs(delivery.attempts + 1, random),
      ...outcome,
    })
  }

  async function attemptOne(delivery: ClaimedDelivery): Promise<AttemptOutcome> {
    const { id, event, data, created_at: createdAt, url, type } = delivery
    try {
      const secrets = secretsOf(delivery, new Date())
      return await tryDelivery(outbound, { id, event, data, createdAt, url, type, secrets })
    } catch (error) {
      onError(error)
      return { delivered: false, statusCode: null, error: 'The delivery could not be composed' }
    }
  }

  const running = run()
  return {
    wake: bell.ring,
    async close(withinMs) {
      closing = true
      bell.ring()
      await running
      let late: NodeJS.Timeout | undefined
      const patience = new Promise((resolve) => {
        late = setTimeout(resolve, withinMs)
      })
      await Promise.race([Promise.all(underWay), patience])
      clearTimeout(late)
      abandoned = true
      await finisher.close()
    },
  }
}

/** Rung by whoever has news; heard by the one that rests. What is rung while nobody listens is heard at once. */
function createBell() {
  let rung = false
  let answer = () => {}
  return {
    ring() {
      rung = true
      answer()
    },
    async heard(withinMs: number): Promise<void> {
      if (!rung && withinMs > 0) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          answer = resolve
          timer = setTimeout(resolve, withinMs)
        })
        clearTimeout(timer)
      }
      rung = false
    },
  }
}
