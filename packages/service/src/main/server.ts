import {
  createCursors,
  createServer,
  endStalledReaders,
  prepareStop,
  registerConsole,
  registerDocs,
  registerServiceRoutes,
} from '../http/index.js'
import { collectOperations } from '../mcp/management/index.js'
import { type Metrics, type MetricsPage, reusePage } from '../observability/index.js'
import { listPublicJwks } from '../record/index.js'
import { describeWebhooks } from '../resources/webhooks/index.js'
import type { Infrastructure } from './infrastructure/infrastructure.js'
import { readCursorKey } from './infrastructure/storage.js'
import type { OpenRecord } from './record/record.js'

/** Returns a function that reads the metrics of all worker processes. */
export type ShareMetrics = (own: Metrics) => () => Promise<MetricsPage>

/** Opens the HTTP server, with its health, metrics and console routes. */
export async function openServer(
  { config, closers, log, metrics, storage, db, servingLock, yieldToEventLoop }: Infrastructure,
  { admission, ledger }: OpenRecord,
  shareMetrics: ShareMetrics | undefined,
) {
  const cursorKey = await readCursorKey(storage)
  const app = await createServer({
    log,
    yieldToEventLoop,
    trustedProxies: config.trustedProxies,
    webhooks: describeWebhooks(),
  })
  const operations = collectOperations(app)
  const server = prepareStop(app)
  const stalledReaders = closers.add(endStalledReaders(app, config.clientStallMs))
  const checkRedis = async () => {
    if (config.redisUrl === null) return { status: 'unused' as const, message: null }
    return await admission.check().then(
      () => ({ status: 'ok' as const, message: null }),
      (error: Error) => ({ status: 'unavailable' as const, message: error.message }),
    )
  }
  await registerServiceRoutes(app, {
    metrics: reusePage(shareMetrics?.(metrics) ?? metrics.read),
    signingKeys: async () => ({ keys: await listPublicJwks(db) }),
    async checkReady() {
      if (server.draining()) throw new Error('The service is shutting down')
      const fault = storage.fault()
      if (fault !== null) throw new Error(fault)
      if (!ledger.available()) throw new Error('The record cannot be written: the database is unreachable')
      if (!servingLock.isHeld()) throw new Error('Another process may be serving this database')
      // Without Redis, limits are counted in this process or its supervisor, and no call can do without them.
      if (config.redisUrl === null) await admission.check()
      await db.selectFrom('instance').select('id').execute()
      const { status, message } = await checkRedis()
      return { redis: message === null ? status : { fault: message } }
    },
  })
  registerConsole(app)
  registerDocs(app)
  return { app, operations, server, stalledReaders, checkRedis, cursorKey, cursors: createCursors(cursorKey) }
}

export type OpenServer = Awaited<ReturnType<typeof openServer>>
