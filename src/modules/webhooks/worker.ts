import type { Changes, Db } from '../../db/index.js'
import type { Outbound } from '../../outbound/index.js'
import type { Offer } from './alert-once.js'
import { type AttemptOutcome, tryDelivery } from './attempt.js'
import { delayAfterMs } from './backoff.js'
import { createChangeLog } from './change-log.js'
import { type ClaimedDelivery, type Clock, claimDeliveries, readWaitMs, releaseDeliveries } from './claim.js'
import { createFinisher } from './finisher.js'
import { createLanes, noRoom } from './lanes.js'
import { secretsOf } from './secret.js'

export interface DeliveryWorker {
  /** For deliveries that are being made for these tenants by this process. */
  offer(tenantIds: ReadonlySet<string>): Offer
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

interface TakenDelivery extends ClaimedDelivery {
  /** By the clock of this process, before its lease began. */
  takenMs: number
}

// What has waited here for longer would outlive its lease if it were sent now.
const longestWaitMs = 4_000
// Should a wake-up be lost.
const longestRestMs = 30_000
const restAfterErrorMs = 500
const restWhileBusyMs = 50
// Signing and sending take some 50 µs each: calls must not wait for hundreds of them.
const startsPerTurn = 32

/** Sends what is due. Any number of replicas run one; a delivery is claimed by one of them at a time. */
export function startDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { db, changes, outbound, onError, clock = () => null, random = Math.random } = options
  const lanes = createLanes<TakenDelivery>()
  const underWay = new Set<Promise<void>>()
  const bell = createBell()
  const finisher = createFinisher({
    db,
    clock,
    onError,
    onWritten(finished) {
      // When the next attempt is due is known only now.
      if (finished.some(({ delivered }) => !delivered)) bell.ring()
    },
  })
  const endpointChanges = createChangeLog()
  let starting = false
  let closing = false
  let abandoned = false

  changes.subscribe({
    onChange: ({ table, tenantId }) => {
      if (table === 'webhook_endpoints') withdraw(tenantId)
      if (table === 'webhook_deliveries' || table === 'webhook_endpoints') bell.ring()
    },
    onGap() {
      withdraw()
      bell.ring()
    },
  })

  /** What waits has its endpoint beside it as it was when it was taken: after a change it is taken anew. */
  function withdraw(tenantId?: string): void {
    endpointChanges.note(tenantId)
    giveBack(lanes.withdraw(tenantId))
  }

  function giveBack(deliveries: readonly TakenDelivery[]): void {
    if (deliveries.length > 0) follow(releaseDeliveries(db, deliveries).catch(onError))
  }

  /** What is under way when the worker is closed is waited for. */
  function follow(work: Promise<void>): void {
    const followed = work.finally(() => underWay.delete(followed))
    underWay.add(followed)
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!closing) {
      let restMs: number
      try {
        restMs = await look()
        failures = 0
      } catch (error) {
        onError(error)
        // The bell rings when the database is back; until then there is no hurry, and no need to fill the log.
        restMs = restAfterErrorMs * 2 ** failures++
      }
      await bell.heard(Math.min(longestRestMs, restMs))
    }
  }

  /** Takes all that may be taken now; resolves with how long there is nothing to take, unless something happens. */
  async function look(): Promise<number> {
    const room = lanes.room({ ahead: changes.connected() })
    const take = beginTaking()
    const claimed = room.inAll > 0 ? await claimDeliveries(db, room, clock()) : []
    lanes.looked(room, claimed)
    take(claimed)
    // What is under way rings the bell when it ends, so that the next look is soon, and takes several at once.
    if (room.inAll === 0) return longestRestMs
    if (claimed.length >= room.inAll) return 0
    return claimed.length > 0 ? restWhileBusyMs : ((await readWaitMs(db, clock())) ?? longestRestMs)
  }

  /** Called before the leases begin; what it returns, with what they are on. */
  function beginTaking(): (claimed: readonly ClaimedDelivery[]) => void {
    const takenMs = performance.now()
    const asOf = endpointChanges.now()
    return (claimed) => {
      const [current, outdated]: [TakenDelivery[], TakenDelivery[]] = [[], []]
      for (const delivery of claimed) {
        const stale = closing || endpointChanges.since(asOf, delivery.tenant_id)
        ;(stale ? outdated : current).push({ ...delivery, takenMs })
      }
      giveBack(outdated)
      lanes.add(current)
      startSoon()
    }
  }

  function startSoon(): void {
    if (starting) return
    starting = true
    setImmediate(startSome)
  }

  function startSome(): void {
    starting = false
    if (closing) return
    const late: TakenDelivery[] = []
    let turns = 0
    for (let delivery = lanes.next(); delivery; delivery = lanes.next()) {
      if (performance.now() - delivery.takenMs < longestWaitMs) follow(carryOut(delivery))
      else {
        late.push(delivery)
        lanes.ended(delivery, null)
      }
      if (++turns === startsPerTurn) {
        startSoon()
        break
      }
    }
    giveBack(late)
  }

  async function carryOut(delivery: TakenDelivery): Promise<void> {
    const startedMs = performance.now()
    const outcome = await attemptOne(delivery)
    const successMs = outcome.delivered ? performance.now() - startedMs : null
    if (lanes.ended(delivery, successMs)) bell.ring()
    if (abandoned) return
    // While changes are missed nothing may wait here.
    if (!changes.connected()) giveBack(lanes.withdraw())
    startSoon()
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

  async function attemptOne(delivery: TakenDelivery): Promise<AttemptOutcome> {
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
    offer(tenantIds) {
      const room = changes.connected() && !closing ? lanes.roomForFresh(tenantIds) : noRoom
      return { room, take: beginTaking() }
    },
    async close(withinMs) {
      closing = true
      bell.ring()
      await running
      withdraw()
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
