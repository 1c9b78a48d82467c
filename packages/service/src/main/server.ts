import {
  createCursors,
  createServer,
  endStalledReaders,
  openTlsListener,
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
import { createProbes } from './probes/probes.js'
import type { WorkerGroup } from './probes/workers-check.js'
import type { OpenRecord } from './record/record.js'

/** Returns a function that reads the metrics of all worker processes. */
export type ShareMetrics = (own: Metrics) => () => Promise<MetricsPage>

/** What only the supervisor knows, when this process is a worker. */
interface ServerOptions {
  shareMetrics?: ShareMetrics
  workerGroup?: () => WorkerGroup | null
  databaseFault?: () => string | null
}

/** Opens the HTTP server, with its health, metrics and console routes. */
export async function openServer(
  infrastructure: Infrastructure,
  { admission, ledger, openCalls, processes }: OpenRecord,
  { shareMetrics, workerGroup, databaseFault }: ServerOptions,
) {
  const { config, closers, log, metrics, storage, db, servingLock, yieldToEventLoop } = infrastructure
  const cursorKey = await readCursorKey(storage)
  const tls = config.tls && closers.add(await openTlsListener({ ...config.tls, log }))
  if (tls) {
    metrics.watch('certificateExpiry', tls.expiresAtSeconds)
    // Not only after a change: the files may have been read before, when they did not belong together.
    infrastructure.live.add({ prepare: () => () => void tls.reload() })
  }
  const app = await createServer({
    log,
    tls,
    yieldToEventLoop,
    trustedProxies: config.trustedProxies,
    pathPrefix: config.publicUrl?.prefix ?? '',
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
  const probes = createProbes({
    ...{ servingLock, admission, ledger, openCalls, processes },
    storage: { ...storage, fault: databaseFault ?? storage.fault },
    ...{ dataDir: config.dataDir, processId: infrastructure.processId, now: infrastructure.now },
    usesRedis: config.redisUrl !== null,
    isStopping: server.draining,
    workerGroup: workerGroup ?? (() => null),
  })
  await registerServiceRoutes(app, {
    metrics: reusePage(shareMetrics?.(metrics) ?? metrics.read),
    signingKeys: async () => ({ keys: await listPublicJwks(db) }),
    readiness: probes.readiness,
  })
  registerConsole(app)
  registerDocs(app)
  return {
    app,
    operations,
    server,
    stalledReaders,
    checkRedis,
    probes,
    cursorKey,
    cursors: createCursors(cursorKey),
  }
}

export type OpenServer = Awaited<ReturnType<typeof openServer>>
