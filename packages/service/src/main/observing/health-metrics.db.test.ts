import { expect, test } from 'vitest'
import { MetricsReading } from '../../../../../test/harness/reporting/metrics.js'
import { createTestDatabase } from '../../../../../test/harness/service/database.js'
import { startDatabaseProxy } from '../../../../../test/harness/service/database-proxy.js'
import { openDatabase } from '../../db/index.js'
import { createMetrics } from '../../observability/index.js'
import { startHealthMetrics } from './health-metrics.js'

const nothingFound = { database: [], limits: [], record: [], spool: [], disk: [], workers: [] }

test('every reading has the state of the database and the figures, however long ago the last one was', async () => {
  const database = await createTestDatabase()
  const proxy = await startDatabaseProxy(database.url)
  const storage = openDatabase(proxy.url, () => undefined)
  const metrics = createMetrics()
  let skippedMs = 0
  const health = startHealthMetrics({
    ...{ metrics, storage, checkRedis: null, queues: {} },
    ledger: { available: () => true, refused: () => [], pending: () => ({ queued: 0, spooled: 0 }) },
    probes: { findings: async () => nothingFound, freeBytes: () => null },
    restingTargets: () => ({}),
    gateway: {
      underWay: () => ({ calls: 0, streams: 0, sockets: 0, bodyBytes: 0, maxBodyBytes: 1 }),
      replayed: () => 0,
    },
    stalledReaders: { ended: () => 0 },
    turnedAway: () => 0,
    onError: () => undefined,
    now: () => performance.now() + skippedMs,
  })
  const read = async () => {
    const page = new MetricsReading((await metrics.read()).text)
    const shown = (name: string) => page.one(`tallystick_${name}`)
    return {
      up: shown('database_up'),
      pingSeconds: shown('database_ping_seconds'),
      overdue: shown('webhook_overdue_seconds'),
      readAt: shown('figures_timestamp_seconds') ?? 0,
    }
  }
  const healthy = { up: 1, pingSeconds: expect.any(Number), overdue: 0 }
  try {
    let last = 0
    for (let scrape = 0; scrape < 3; scrape++) {
      const now = await read()
      expect(now).toEqual({ ...healthy, readAt: expect.any(Number) })
      expect(now.readAt).toBeGreaterThan(last)
      last = now.readAt
      skippedMs += 600_000
    }
    // Without an answer it does not wait for long, and says so. The figures say when they were read.
    proxy.hang()
    expect(await read()).toEqual({ up: 0, pingSeconds: null, overdue: 0, readAt: last })
  } finally {
    await proxy.cut()
    await health.close()
    await storage.close()
    await proxy.close()
    await database.drop()
  }
})
