import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type Changes,
  type Db,
  listenForChanges,
  newId,
  openDatabase,
} from '../../../packages/service/src/db/index.js'
import { createOutbound } from '../../../packages/service/src/outbound/index.js'
import { projectUsage } from '../../../packages/service/src/reporting/usage/index.js'
import {
  type ClaimedDelivery,
  claimDeliveries,
} from '../../../packages/service/src/resources/webhooks/delivery/claim.js'
import {
  type Capacity,
  noCapacity,
} from '../../../packages/service/src/resources/webhooks/delivery/endpoint-queues.js'
import {
  projectWebhooks,
  startDeliveryWorker,
} from '../../../packages/service/src/resources/webhooks/index.js'
import { openSecrets } from '../../../packages/service/src/secrets/index.js'
import { masterKey } from '../../harness/processes/master-key.js'
import { startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../harness/record/ledger.js'
import { waitFor } from '../../harness/run/wait.js'
import { sealEndpointSecret } from '../../harness/service/endpoint-secret.js'

let bench: LedgerBench
let tenantId: string
let db: Db
let changes: Changes
let closing: (() => Promise<unknown>)[]

beforeEach(async () => {
  bench = await createLedgerBench()
  tenantId = bench.tenantIds[0] ?? ''
  const database = openDatabase(bench.database.url, () => undefined)
  db = database.db
  changes = await listenForChanges(bench.database.url, () => undefined)
  closing = [bench.close, database.close, changes.close]
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
})

const subscriptions = { mayHave: () => true, forget: () => undefined }

async function receive(script: Parameters<typeof startUpstream>[0]): Promise<Upstream> {
  const receiver = await startUpstream(script)
  closing.push(receiver.close)
  return receiver
}

async function listen(url = 'http://127.0.0.1:9/'): Promise<string> {
  const id = newId('whe')
  await bench.database.query(
    `insert into webhook_endpoints (id, tenant_id, name, url, type, events, sealed_secret)
     values ($1, $2, 'x', $3, 'generic', '{policy.violation,budget.threshold_reached}', $4)`,
    [id, tenantId, url, await sealEndpointSecret(db, tenantId, id)],
  )
  return id
}

const blocked = () =>
  newReceipt(tenantId, {
    outcome: 'blocked',
    checks: [{ name: 'model_allowlist', applicable: true, result: 'fail', action: 'block' }],
  })

async function startWorker(heard: Changes = changes) {
  const outbound = createOutbound({ strict: false })
  const secrets = await openSecrets({ db, dataDir: '', configured: masterKey, warn: () => undefined })
  const worker = startDeliveryWorker({
    db,
    changes: heard,
    outbound: {
      ...outbound,
      // No receiver is given up because the machine stands still for a while.
      post: (request) => outbound.post({ ...request, timeoutMs: 3_600_000 }),
    },
    secrets,
    onError: () => undefined,
  })
  closing.push(async () => {
    await worker.close(0)
    await outbound.close()
  })
  const ledger = await bench.open({ projections: [projectUsage, projectWebhooks(subscriptions, worker)] })
  return { worker, ledger }
}

/** A ledger whose deliveries are claimed as they are inserted, up to a capacity, and what was claimed. */
async function openClaiming(capacity: Partial<Capacity>) {
  const started: ClaimedDelivery[] = []
  const claimOnInsert = () => ({
    capacity: { ...noCapacity, ...capacity },
    start: (claimed: readonly ClaimedDelivery[]) => void started.push(...claimed),
  })
  const ledger = await bench.open({
    projections: [projectUsage, projectWebhooks(subscriptions, { claimOnInsert })],
  })
  return { ledger, started }
}

const unlimited = { endpointIds: [], capacities: [], forOthers: 100, total: 100 }
const inFifteenSeconds = () => new Date(Date.now() + 15_000 + 1_000)

test('what is claimed on insert is what a claim would have returned', async () => {
  await listen()
  const { ledger, started } = await openClaiming({ forOthers: 1 })
  const claimedMs = Date.now()
  await ledger.append(blocked())
  expect(started).toHaveLength(1)
  expect(await claimDeliveries(db, unlimited, null)).toEqual([])
  const [claimed] = await claimDeliveries(db, unlimited, inFifteenSeconds())
  expect(started[0]).toMatchObject({ ...claimed, lease_until: expect.any(Date) })
  const untilMs = started[0]?.lease_until.getTime() ?? 0
  expect(untilMs).toBeGreaterThan(claimedMs + 14_000)
  expect(untilMs).toBeLessThanOrEqual(Date.now() + 15_000)
})

test('for each endpoint as many are claimed on insert as it has capacity for; the rest can be claimed by any replica', async () => {
  const [free, full, unknown] = [await listen(), await listen(), await listen()]
  const { ledger, started } = await openClaiming({
    endpointIds: [free, full],
    capacities: [3, 0],
    forOthers: 1,
  })
  // What is appended in one turn of the event loop is one group.
  await Promise.all(Array.from({ length: 5 }, () => ledger.append(blocked())))
  const count = (rows: readonly { endpoint_id: string }[], id: string) =>
    rows.filter(({ endpoint_id }) => endpoint_id === id).length
  expect([free, full, unknown].map((id) => count(started, id))).toEqual([3, 0, 1])
  const claimed = await claimDeliveries(db, unlimited, null)
  expect([...started, ...claimed].map(({ id }) => id).toSorted()).toEqual(
    (await bench.database.query<{ id: string }>('select id from webhook_deliveries order by id')).map(
      ({ id }) => id,
    ),
  )
})

test('deliveries of thresholds are claimed on insert as well', async () => {
  await listen()
  await bench.database.query(
    `insert into budgets (id, tenant_id, name, scope_type, scope_id, amount_nanos, period, threshold_pct, action)
     values ('bud_x', $1, 'x', 'tenant', $1, 1000000000, 'monthly', 80, 'block')`,
    [tenantId],
  )
  const { ledger, started } = await openClaiming({ forOthers: 1 })
  await ledger.append(newReceipt(tenantId, { costNanos: 900_000_000 }))
  expect(started).toMatchObject([{ event: 'budget.threshold_reached', tenant_id: tenantId, attempts: 0 }])
})

test('nothing is started of a group that is not committed', async () => {
  await listen()
  const { ledger, started } = await openClaiming({ forOthers: 100 })
  await bench.database.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not today' using errcode = '23514'; end $$;
    create constraint trigger refuse after insert on webhook_deliveries deferrable initially deferred
      for each row execute function refuse()`)
  await expect(ledger.append(blocked())).rejects.toThrow()
  expect(started).toEqual([])
  await bench.database.query('drop trigger refuse on webhook_deliveries')
  await ledger.append(blocked())
  expect(started).toHaveLength(1)
})

test('the worker sends what was claimed on insert without another claim', async () => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const receiver = await receive((_, response) => {
    arrive()
    response.end()
  })
  await listen(receiver.url)
  // While changes cannot be heard, nothing is claimed on insert; after a gap, what is queued is claimed again.
  const { ledger } = await startWorker({ ...changes, connected: () => true, subscribe: () => undefined })
  // A row that is inserted with its lease is updated once, with the outcome; a claim is a second update.
  await bench.database.query(`
    create table claims (id text);
    create function note_claim() returns trigger language plpgsql as $$
      begin insert into claims values (new.id); return new; end $$;
    create trigger note_claim after update of lease_until on webhook_deliveries for each row
      when (new.lease_until is not null) execute function note_claim()`)
  // What is queued for four seconds is claimed again, so that none pass until it is sent.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  try {
    await ledger.append(blocked())
    await arrived
  } finally {
    clock.mockRestore()
  }
  await waitFor('the outcome', async () => (await statuses()).every((status) => status === 'delivered'))
  expect(receiver.seen).toHaveLength(1)
  expect(await bench.database.query('select * from claims')).toEqual([])
})

test('of thousands at once every one arrives, each once', async () => {
  const ids = new Set<unknown>()
  const receiver = await receive(({ headers }, response) => {
    ids.add(headers['x-tallystick-delivery-id'])
    response.end()
  })
  for (let i = 0; i < 4; i++) await listen(`${receiver.url}/${i}`)
  const { ledger } = await startWorker()
  await Promise.all(Array.from({ length: 500 }, () => ledger.append(blocked())))
  await waitFor('all', async () => (await statuses()).every((status) => status === 'delivered'))
  expect([receiver.seen.length, ids.size]).toEqual([2_000, 2_000])
})

/** An endpoint that has earned prefetching, and whose receiver answers nothing from now on. */
async function startBusyEndpoint() {
  const receiver = await receive((_, response) => void response.end())
  const endpoint = await listen(receiver.url)
  const started = await startWorker()
  for (let i = 0; i < 20; i++) await started.ledger.append(blocked())
  await waitFor('the first', async () => (await statuses()).every((status) => status === 'delivered'))
  let answerAll = () => {}
  const answering = new Promise<void>((resolve) => {
    answerAll = resolve
  })
  receiver.answerWith((_, response) => void answering.then(() => response.end()))
  await Promise.all(Array.from({ length: 60 }, () => started.ledger.append(blocked())))
  await waitFor('those that are in flight', () => receiver.seen.length > 20)
  return { ...started, receiver, endpoint, answerAll }
}

/** Of the sixty. How many depends on how fast the first ones were answered, and some may be on their way yet. */
const maxInFlight = 22

test('a change to an endpoint applies to what is queued', async () => {
  const { endpoint, receiver, answerAll } = await startBusyEndpoint()
  const next = await receive((_, response) => void response.end())
  await changeUrl(endpoint, next.url)
  answerAll()
  await waitFor('all', async () => (await statuses()).every((status) => status === 'delivered'))
  expect(new Set([...idsAt(receiver), ...idsAt(next)]).size).toBe(80)
  expect(new Set(idsAt(receiver)).size).toBeLessThanOrEqual(20 + maxInFlight)
})

test('a change to an endpoint applies to what is being claimed at that moment', async () => {
  const [before, after] = [
    await receive(() => undefined),
    await receive((_, response) => void response.end()),
  ]
  const endpoint = await listen(before.url)
  const { worker } = await startWorker()
  const { ledger, started } = await openClaiming({ forOthers: 1 })
  const { start } = worker.claimOnInsert(new Set([tenantId]))
  await ledger.append(blocked())
  await changeUrl(endpoint, after.url)
  start(started)
  await waitFor('the delivery', async () => (await statuses()).every((status) => status === 'delivered'))
  expect(before.seen).toEqual([])
})

test('a worker that is closed releases what is queued, for others to send at once', async () => {
  const { worker, ledger, receiver } = await startBusyEndpoint()
  await worker.close(100)
  // The time that it had to close may be over before the release is written. A lease that ends by itself stays in its row.
  const readUnleased = async () => {
    const rows = await bench.database.query<{ id: string }>(
      `select id from webhook_deliveries where status = 'pending' and lease_until is null`,
    )
    return rows.map(({ id }) => id)
  }
  const released = await waitFor('the release', async () => {
    const ids = await readUnleased()
    return ids.length >= 60 - maxInFlight && ids
  })
  expect(released.filter((id) => idsAt(receiver).includes(id))).toEqual([])
  const claimed = await claimDeliveries(db, unlimited, null)
  expect(claimed.map(({ id }) => id)).toEqual(expect.arrayContaining(released))
  await ledger.append(blocked())
  expect(await readUnleased()).toHaveLength(1)
})

test('a failed attempt is followed by the next when it is due, even if its outcome took long to write', async () => {
  const times: number[] = []
  let release = () => {}
  const receiver = await receive(async (_, response) => {
    times.push(performance.now())
    if (times.length === 1) release = await lockRows()
    response.writeHead(times.length === 1 ? 500 : 200).end()
  })
  await listen(receiver.url)
  const { ledger } = await startWorker()
  await ledger.append(blocked())
  await waitFor('the outcome to wait for the lock', async () => {
    const held = await bench.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return held.length > 0
  })
  release()
  await waitFor('the second attempt', () => times.length === 2)
  const [first = 0, second = 0] = times
  expect(second - first).toBeGreaterThan(3_900)
})

const idsAt = (receiver: Upstream) => receiver.seen.map(({ headers }) => headers['x-tallystick-delivery-id'])

/** Resolves when the worker was notified. */
async function changeUrl(endpoint: string, url: string): Promise<void> {
  let notified = false
  changes.subscribe({
    onChange({ table }) {
      notified ||= table === 'webhook_endpoints'
    },
    onGap: () => undefined,
  })
  await waitFor('the change', async () => {
    // A notification is lost while the connection is being renewed.
    if (!notified)
      await bench.database.query('update webhook_endpoints set url = $2 where id = $1', [endpoint, url])
    return notified
  })
}

/** Locks every delivery until the returned function is called. */
async function lockRows(): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await new Promise<void>((resolve) => {
    const held = db.transaction().execute(async (tx) => {
      await tx.selectFrom('webhook_deliveries').select('id').forUpdate().execute()
      resolve()
      await released
    })
    closing.push(() => held)
  })
  return release
}

const statuses = async () =>
  (await bench.database.query<{ status: string }>('select status from webhook_deliveries')).map(
    ({ status }) => status,
  )
