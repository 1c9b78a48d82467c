import cluster from 'node:cluster'
import { setMaxListeners } from 'node:events'
import { createMemoryAdmission, createRedisAdmission } from '../admission/index.js'
import { type Config, ConfigError, type ConfigSource, loadConfig, readVersion } from '../config/index.js'
import { listenForChanges, newId, type Periodic } from '../db/index.js'
import { unauthorized } from '../errors.js'
import {
  createClaims,
  createRecordingRoom,
  createTargetReport,
  type GatewayOptions,
  registerGateway,
  startBatchWorker,
  TargetHealth,
} from '../gateway/index.js'
import {
  createAdmissionTruth,
  createRateStanding,
  createRevocations,
  createShutdownSignal,
} from '../governed/index.js'
import {
  bearerResolver,
  createCursors,
  createServer,
  createSessionCookies,
  endStalledReaders,
  gatewayResolvers,
  type Principal,
  prepareStop,
  registerConsole,
  registerManagement,
  registerServiceRoutes,
  sessionResolver,
  warnOfBacklog,
} from '../http/index.js'
import {
  canonicalModel,
  createEventRecorder,
  createOpenCalls,
  createPriceEntries,
  createSpanVerifier,
  listPublicJwks,
  openLedger,
  recordInterrupted,
  registerProcess,
  toolFacts,
} from '../ledger/index.js'
import { collectOperations, registerHosted } from '../mcp/hosted/index.js'
import { createBatchFiles, createBatchSeals } from '../modules/batches/index.js'
import { createSpendLimits, type ReadReserved, readSpend } from '../modules/budgets/index.js'
import { createCachedAnswers } from '../modules/cached-answers/index.js'
import { createErasures, startJobWorker } from '../modules/compliance/index.js'
import { createContentCapture, createContentReader } from '../modules/content/index.js'
import { createEvents } from '../modules/events/index.js'
import { createKeyIdentities, scopeIdsOf } from '../modules/keys/index.js'
import { createPacksInForce, loadPacks } from '../modules/packs/index.js'
import {
  createHttpAsker,
  createPolicyJudge,
  createPolicySets,
  createServiceSecrets,
} from '../modules/policies/index.js'
import { createPromptReader } from '../modules/prompts/index.js'
import { createRoutes } from '../modules/routes/index.js'
import { createLiveSessions, createSignInSeals } from '../modules/sessions/index.js'
import { createContentSettings } from '../modules/settings/index.js'
import { findTenant, isDemoTenant, listTenants } from '../modules/tenants/index.js'
import { createHeldAnswers, createRateLimitedCounter } from '../modules/usage/index.js'
import {
  createSubscriptions,
  projectWebhooks,
  recordFailingCredential,
  startDeliveryWorker,
} from '../modules/webhooks/index.js'
import { createOutbound, parseRange } from '../outbound/index.js'
import { createTokenCounter, dialects, knownProviders } from '../providers/index.js'
import { createMetrics, type Metrics, type MetricsPage, reusePage } from '../telemetry/index.js'
import { createTurns } from '../turns.js'
import { type Closers, closeOnce, createClosers } from './closers.js'
import { describeConfig } from './describe-config.js'
import { registerManagementRoutes } from './management.js'
import type { ProviderFault } from './models/live-providers.js'
import { createModelDirectories, providerTypes } from './models/model-directories.js'
import { startClockWatch } from './observing/clock-watch.js'
import { startConnectionWatch } from './observing/connection-watch.js'
import { startHealthMetrics } from './observing/health-metrics.js'
import { createObservers } from './observing/observers.js'
import { maxFlushMs, openLog, openTracing } from './observing/open-telemetry.js'
import { createProjections } from './projections.js'
import { openMarks } from './record-marks.js'
import { toRecordedSpend } from './recorded-spend.js'
import { startSealing } from './sealing.js'
import { openStorage, prepareInstance, readCursorKey, takePlace } from './storage.js'
import { createToolServers, registerToolGateway } from './tools/tool-servers.js'
import { startUpkeep } from './upkeep.js'

// What answers to calls with an Idempotency-Key may take while they are under way.
const maxRecordingBytes = 64 * 1024 * 1024

/** Reads the settings. What they may say of providers follows from the tables of vendors and dialects. */
export const readConfig = (source: Omit<ConfigSource, 'known'>): Config =>
  loadConfig({ ...source, known: knownProviders })

export interface Service {
  /** Where it listens, e.g. http://127.0.0.1:7070 */
  address: string
  /** The value of the first manager key, when this start created it. Shown this once. */
  firstKey: string | null
  /** Resolves, with what to do, when the embedded database cannot be started again: then nothing can be served any more. */
  broken: Promise<Error>
  /** Says that it is not ready, and ends connections with their next answer. All calls are still served. */
  drain(): void
  /** Stops accepting, lets calls end within the grace period, records all of them, and lets go of everything. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Where several processes serve as one, their figures are added up; alone, a process shows its own. */
  shareMetrics?: (own: Metrics) => () => Promise<MetricsPage>
}

/** Starts the service. What was started before something failed is closed again. */
export async function startService(config: Config, options: StartOptions = {}): Promise<Service> {
  const closers = createClosers()
  try {
    return await compose(config, options, closers)
  } catch (error) {
    await closers.close().catch(() => undefined)
    throw error
  }
}

/** The composition root: makes every part and hands each what it needs. What is added to `closers` last is closed first. */
async function compose(config: Config, options: StartOptions, closers: Closers): Promise<Service> {
  const logs = closers.add(openLog(config))
  const log = logs.general
  const warn = (message: string) => log.warn(message)
  const { failed } = logs
  const metrics = createMetrics()
  const tracing = openTracing(config, log, metrics)
  closers.add({ close: () => tracing?.close(Math.min(config.shutdownGraceMs, maxFlushMs)) })
  const observers = createObservers({ metrics, log: logs, tracing })
  const now = () => new Date()
  const startedAt = now()
  const { packs, faults } = loadPacks(config.packsDir)
  if (faults.length > 0) throw new ConfigError(faults)

  // What it keeps.
  const storage = closers.add(
    await openStorage(config, (message) => log.info(message), { schema: 'prepare', onFault: warn }),
  )
  const { db, url, sessionUrl } = storage
  const processId = newId('proc')
  const place = closers.add(await takePlace(config, storage, processId, warn))
  const { signingKey, secrets, firstKey } = await prepareInstance(config, storage, warn)
  const changes = closers.add(await listenForChanges(sessionUrl, warn))
  signingKey.reloadOnChange(changes, log)
  closers.add(signingKey.watchOthers({ log, onError: failed('looking for other signing keys') }))
  const connectionWatch = closers.add(startConnectionWatch({ log, seesMachine: !cluster.isWorker }))
  closers.add(startClockWatch({ wallMs: Date.now, steadyMs: () => performance.now(), log }))
  secrets.reloadOnChange(changes)
  const serviceSecrets = createServiceSecrets({ db: storage.keysDb, changes, secrets })
  const isOnlyProcess = config.redisUrl === null
  closers.add(
    await startSealing({
      db,
      secrets,
      serviceSecrets,
      isOnlyProcess,
      warn,
      onError: failed('sealing stored secrets'),
    }),
  )
  const truth = createAdmissionTruth(db, (tenantId, accounts) => readSpend(db, tenantId, accounts))
  const admission = closers.add(
    config.redisUrl
      ? await createRedisAdmission({ url: config.redisUrl, truth, log })
      : createMemoryAdmission(truth),
  )

  // What it sends by itself: webhooks, questions of policies.
  const urlRules = {
    strict: config.strictness.strict,
    allowedRanges: config.allowedRanges.map(parseRange),
  }
  const outbound = closers.add(createOutbound(urlRules))
  const worker = startDeliveryWorker({
    db,
    changes,
    outbound,
    secrets,
    onError: failed('delivering webhooks'),
    onAttempt: ({ delivered }) =>
      metrics.counter('webhookAttempts', { outcome: delivered ? 'delivered' : 'failed' }).add(),
  })
  const sending = closers.add(closeOnce(() => worker.close(config.shutdownGraceMs)))

  // What it records, and who is notified of it.
  const subscriptions = await createSubscriptions({
    db,
    changes,
    onError: failed('reading webhook subscriptions'),
  })
  const marks = await openMarks(config, { db, log, now: () => now().getTime() })
  const ledger = await openLedger({
    databaseUrl: sessionUrl,
    dataDir: config.dataDir,
    signingKey,
    marks,
    log,
    projections: createProjections([projectWebhooks(subscriptions, worker)]),
    onRefused: () => metrics.counter('refusedReceipts', {}).add(),
    onRecorded(receipts, commitMs) {
      observers.recorded(receipts, commitMs)
      admission.record(receipts.map(toRecordedSpend)).catch(failed('telling limits what was spent'))
    },
  })

  const prices = createPriceEntries({ ledger, now })
  const heldAnswers = createHeldAnswers(db)
  const openCalls = await createOpenCalls({ databaseUrl: sessionUrl, processId, log })
  const processes = await registerProcess({
    db,
    processId,
    isOnlyProcess,
    onError: failed('watching for processes that died'),
    // It may have admitted calls that are not in the database, and recorded some that admission did not hear of.
    async onAbsent() {
      for (const { id } of await listTenants(db)) await admission.forget(id)
    },
    async recover(deadId) {
      const calls = await recordInterrupted(db, ledger, deadId)
      log.warn(
        { process: deadId, calls },
        'a process died; the calls that it left are recorded as interrupted, at what was reserved: find out why it died',
      )
    },
  })

  // The record is closed first: what it still writes ends calls that are under way.
  closers.add(processes)
  closers.add(openCalls)
  closers.add(marks)
  closers.add(ledger)

  // Who may call.
  const identities = closers.add(
    createKeyIdentities({ db, changes, onError: failed('noting when keys were used') }),
  )
  const bearer = bearerResolver(identities.findByKey)
  const sessions = closers.add(
    createLiveSessions({
      db,
      changes,
      entitlementsOf: identities.entitlementsOf,
      onError: failed('noting when sessions were used'),
    }),
  )
  const principalNow = async (principal: Principal) =>
    principal.sessionId === null
      ? await identities.find(principal)
      : await sessions.find({ tenantId: principal.tenantId, sessionId: principal.sessionId })
  const prompts = createPromptReader({ db, changes })
  const routes = createRoutes({ db, changes })

  // What may be called.
  const reportFault = ({ tenantId, ...fault }: ProviderFault) => {
    const configured = config.providers.find(({ id }) => id === fault.providerId)
    const of = tenantId === null ? { tenants: configured?.tenants ?? null } : { tenantId }
    recordFailingCredential(db, { ...fault, of }).catch(failed('telling of a refused credential'))
  }
  const directories = closers.add(
    createModelDirectories({
      ...{ config, db, changes, secrets, outbound, now, warn },
      onFault: reportFault,
    }),
  )
  const health = new TargetHealth(() => performance.now())
  const tokens = closers.add(await createTokenCounter({ onDegraded: warn }))

  // What is limited and counted.
  const rateLimited = closers.add(
    createRateLimitedCounter({ db, onError: failed('counting calls over a limit') }),
  )
  const policySets = createPolicySets({ db, changes })
  const packsInForce = createPacksInForce({ db, changes })
  const spendLimits = createSpendLimits({ db, changes })

  // What it is evidence for.
  const recordEvent = createEventRecorder({ signingKey: () => signingKey, marks, now })
  const spans = closers.add(createSpanVerifier({ db, databaseUrl: url }))
  const erasures = closers.add(
    createErasures({ db, recordEvent, onError: failed('erasing what was asked to be erased') }),
  )

  const waitForTurn = createTurns()
  let jobWorker: Periodic | null = null

  const version = readVersion()
  const tools = closers.add(
    createToolServers({
      ...{ config, db, changes, secrets, outbound, urlRules, waitForTurn, version, failed },
      isDemo: (tenantId) => isDemoTenant(db, tenantId),
      onOutput: (text) => log.info(text),
    }),
  )

  // What it keeps of what calls say, where a tenant wants that.
  const contentSettings = createContentSettings({ db, changes })
  const contentCapture = closers.add(
    createContentCapture({
      ...{ db, secrets, settings: contentSettings, waitForTurn, onError: failed('storing captured content') },
      onLost: () => metrics.counter('contentLost', {}).add(),
    }),
  )
  const contentReader = createContentReader({ db, secrets })

  const policies = createPolicyJudge({
    ask: createHttpAsker({ post: outbound.post, secretOf: serviceSecrets.secretOf, now }),
    holdBackChars: config.streamHoldBackChars,
    waitForTurn,
  })

  // How it is reached.
  const stopping = new AbortController()
  // Every attestation under way listens to it.
  setMaxListeners(0, stopping.signal)
  const cursorKey = await readCursorKey(storage)
  const cursors = createCursors(cursorKey)
  const app = await createServer({ log, waitForTurn, trustedProxies: config.trustedProxies })
  const operations = collectOperations(app)
  const server = prepareStop(app)
  const stalledReaders = closers.add(endStalledReaders(app, config.clientStallMs))
  const checkRedisState = async () => {
    if (config.redisUrl === null) return { status: 'unused' as const, message: null }
    return await admission.check().then(
      () => ({ status: 'ok' as const, message: null }),
      (error: Error) => ({ status: 'unavailable' as const, message: error.message }),
    )
  }
  await registerServiceRoutes(app, {
    metrics: reusePage(options.shareMetrics?.(metrics) ?? metrics.read),
    signingKeys: async () => ({ keys: await listPublicJwks(db) }),
    async checkReady() {
      if (server.draining()) throw new Error('The service is shutting down')
      const fault = storage.fault()
      if (fault !== null) throw new Error(fault)
      if (!ledger.available()) throw new Error('The record cannot be written: the database is away')
      if (!place.held()) throw new Error('Another process may be serving this database')
      await db.selectFrom('instance').select('id').execute()
      const { status, message } = await checkRedisState()
      return { redis: message === null ? status : { fault: message } }
    },
  })
  registerConsole(app)
  const readReserved: ReadReserved = (tenantId, account) => admission.reservedNanos(tenantId, account)
  const events = closers.add(
    createEvents({
      db,
      changes,
      cursors,
      principalNow,
      readReserved,
      now,
      onError: failed('the stream of events'),
    }),
  )
  const { publicUrl, oidc } = config
  if (oidc !== null && !(await findTenant(db, oidc.tenant)))
    warn(
      `oidc.tenant: there is no tenant ${oidc.tenant}; nobody can sign in by OpenID Connect until there is`,
    )
  const resolvers = [bearer, sessionResolver(sessions.findByValue, publicUrl)]
  await registerManagement(app, resolvers, (management) => {
    registerManagementRoutes(management, {
      ...{
        db,
        cursors,
        now,
        urlRules,
        outbound,
        secrets,
        serviceSecrets,
        recordEvent,
        stopping: stopping.signal,
      },
      ...{ sessions, publicPlace: publicUrl, cookies: createSessionCookies(publicUrl) },
      ...{ oidc, signInSeals: createSignInSeals(cursorKey) },
      ...{
        identities,
        prompts,
        routes,
        dialects: Object.keys(dialects),
        readTargetHealth: createTargetReport(directories, health),
        ...{ health, random: Math.random },
        policySets,
        spendLimits,
        subscriptions,
        packs,
        packsInForce,
        contentSettings,
      },
      ...{ directories, providerTypes, tokens, heldAnswers, policies, waitForTurn },
      ...{ spans, erasures, contentReader, events, readReserved },
      mcp: { ...tools, configured: config.mcpServers, askServer: tools.ask },
      readRateStanding: createRateStanding(admission),
      about: {
        ...describeConfig(config),
        startedAt,
        recordAvailable: ledger.available,
        checkRedis: checkRedisState,
      },
      onJobAdded: () => jobWorker?.wake(),
      onAdjusted(correction) {
        admission.record([toRecordedSpend(correction)]).catch(failed('telling limits of a correction'))
      },
    })
  })
  await registerManagement(app, gatewayResolvers(identities.findByKey), (management) => {
    registerHosted(management, { operations, publicPlace: publicUrl, version })
    tools.registerConsentPages(management)
  })
  const revocations = closers.add(
    createRevocations({
      entitlementsOf: identities.entitlementsOf,
      onError: failed('checking for revoked keys'),
    }),
  )
  const claims = closers.add(
    createClaims({ db, changes, processId, onError: failed('keeping answers for repeated calls') }),
  )
  const cachedAnswers = closers.add(
    createCachedAnswers({ db, secrets, onError: failed('keeping answers of routes with a cache') }),
  )
  const batchFiles = createBatchFiles({ db, secrets })
  let batchWorker: Periodic | null = null
  const calling: Omit<GatewayOptions, 'batches'> = {
    cachedAnswers,
    erasedTo: async (tenantId) => (await contentSettings.current(tenantId)).erasedTo,
    onCacheError: failed('looking for kept answers of routes'),
    claims,
    recordingRoom: createRecordingRoom(maxRecordingBytes),
    revocations,
    resolvers: gatewayResolvers(identities.findByKey),
    entitlementsOf: identities.entitlementsOf,
    async renewLimits({ tenantId, key }) {
      spendLimits.forget(tenantId)
      identities.forget(tenantId)
      const entitlements = await identities.entitlementsOf({ tenantId, keyId: key.id })
      if (entitlements === null) throw unauthorized()
      return entitlements
    },
    admission,
    directories,
    routes,
    health,
    random: Math.random,
    tokens,
    prompts,
    spendLimits,
    heldAnswers,
    prices,
    policySets,
    packsInForce,
    policies,
    waitForTurn,
    ledger,
    openCalls,
    mayServe: place.held,
    mayServeAgain: place.regained,
    contentCapture,
    stopping: stopping.signal,
    now: () => performance.now(),
    onFurtherAttempt: ({ provider }, kind) =>
      metrics.counter('furtherAttempts', { provider: provider.name, type: kind }).add(),
    onRateLimited({ entitlements, call, target }) {
      metrics.counter('rateLimited', { endpoint: call.dialect.name }).add()
      const provider = target.provider.name
      const model = canonicalModel({ provider, model: call.model, target: target.model })
      rateLimited.count({ ...scopeIdsOf(entitlements), provider, model })
    },
    onFinished: observers.finished,
    onRefused: observers.refused,
    beginTrace: tracing?.begin ?? null,
  }
  const batchWork = {
    ...{ db, files: batchFiles, seals: createBatchSeals(secrets), onError: failed('going on with batches') },
    onChanged: () => batchWorker?.wake(),
  }
  const gateway = await registerGateway(app, { ...calling, batches: batchWork })
  const toolGateway = await registerToolGateway(app, {
    ...{ tools, db, changes, secrets, waitForTurn, version, failed, publicPlace: publicUrl },
    resolvers: calling.resolvers,
    sessionKey: cursorKey,
    stopping: stopping.signal,
    beginTrace: tracing?.begin ?? null,
    call: {
      ...calling,
      shutdown: createShutdownSignal(stopping.signal),
      onFinished: observers.toolFinished,
      onRefused(refused) {
        observers.toolRefused(refused)
        if (refused.error.type !== 'rate_limit_exceeded') return
        const { server, tool, method, entitlements } = refused
        const { provider, model } = toolFacts({ server: server.name, tool, method })
        metrics.counter('rateLimited', { endpoint: 'mcp' }).add()
        rateLimited.count({ ...scopeIdsOf(entitlements), provider, model })
      },
    },
  })
  const settled = async () => void (await Promise.all([gateway.settled(), toolGateway.settled()]))
  const { redisUrl } = config
  const queues = {
    open_calls: openCalls.queued,
    turns: waitForTurn.waiting,
    content: contentCapture.queued,
  }
  const checkRedis = redisUrl === null ? null : () => admission.check()
  const background = createClosers()
  const endingBackground = closers.add(closeOnce(background.close))
  // With no caller left, nobody wants what a database that hangs might still answer.
  closers.add({ close: storage.hurry })
  closers.add({
    // When no caller is left, the answer to one that hung up may still be read for its usage.
    close: () =>
      server.stop({
        ...{ graceMs: config.shutdownGraceMs, quietMs: config.drainMs, settled },
        onOverdue: () => stopping.abort(),
      }),
  })
  // First of all: a stream has no end that the server could wait for.
  closers.add(events)
  const address = await app.listen({ host: config.host, port: config.port, backlog: config.listenBacklog })
  warnOfBacklog(log, config.listenBacklog)
  // Not before: making the routes ready keeps the process busy for a second, in which it could not read an answer of Redis or the database.
  background.add(
    startHealthMetrics({
      restingTargets: () => health.resting(),
      metrics,
      storage,
      checkRedis,
      ledger,
      queues,
      gateway,
      stalledReaders,
      turnedAway: connectionWatch.turnedAway,
      onError: failed('measuring health'),
    }),
  )
  batchWorker = background.add(
    startBatchWorker({
      ...calling,
      ...batchWork,
      entitlementsOf: identities.entitlementsOf,
      log: app.log,
      processId,
    }),
  )
  jobWorker = background.add(
    startJobWorker({ db, spans, now, waitForTurn, onError: failed('making attestations and exports') }),
  )
  background.add(tools.startRefreshing())
  background.add(startUpkeep({ db, databaseUrl: sessionUrl, config, now, failed }))

  return {
    address,
    firstKey,
    broken: storage.broken,
    drain: server.drain,
    async stop() {
      // No more webhooks from here on, while calls end. What happens until the end waits in the database.
      sending.close().catch(failed('ending the delivery of webhooks'))
      endingBackground.close().catch(failed('ending background work'))
      await closers.close()
    },
  }
}
