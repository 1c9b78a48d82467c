import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { pino } from 'pino'
import {
  type Account,
  createMemoryAdmission,
  createRedisAdmission,
  type RecordedSpend,
} from './admission/index.js'
import { type Config, ConfigError, type ConfigSource, loadConfig } from './config/index.js'
import {
  type Database,
  type EmbeddedPostgres,
  inTransaction,
  listenForChanges,
  migrate,
  newId,
  openDatabase,
  startEmbeddedPostgres,
  takeServingPlace,
} from './db/index.js'
import { createAdmissionTruth, createEvaluator, registerGateway } from './gateway/index.js'
import {
  bearerResolver,
  createCursors,
  createMetrics,
  createServer,
  headerResolver,
  type Metrics,
  type MetricsPage,
  prepareStop,
  registerManagement,
  registerServiceRoutes,
} from './http/index.js'
import {
  closeCalls,
  createDailyAnchor,
  createEventRecorder,
  createOpenCalls,
  createSpanVerifier,
  joinProcesses,
  listSigningKeys,
  type NumberedReceipt,
  openKeyRing,
  openLedger,
  recordInterrupted,
} from './ledger/index.js'
import { operatorOf, registerAuditRoutes } from './modules/audit/index.js'
import {
  createSpendLimits,
  projectSpend,
  readSpend,
  registerBudgetRequestRoutes,
  registerBudgetRoutes,
  type SpendQuery,
  scopesOf,
} from './modules/budgets/index.js'
import {
  createErasures,
  registerAnchorRoutes,
  registerAttestationRoutes,
  registerErasureRoutes,
  registerExportRoutes,
  registerProofRoutes,
  registerReceiptRoutes,
} from './modules/compliance/index.js'
import { createKey, createKeyIdentities, registerKeyRoutes, scopeIdsOf } from './modules/keys/index.js'
import { createPacksInForce, loadPacks, registerPackRoutes } from './modules/packs/index.js'
import {
  createHttpAsker,
  createPolicyJudge,
  createPolicySets,
  deriveServiceSecret,
  registerPolicyRoutes,
} from './modules/policies/index.js'
import {
  createPromptReader,
  registerPromptLabelRoutes,
  registerPromptRoutes,
  registerPromptVersionRoutes,
} from './modules/prompts/index.js'
import { registerMemberRoutes, registerTeamRoutes } from './modules/teams/index.js'
import { ensureFirstTenant, listTenants } from './modules/tenants/index.js'
import {
  createMinutePruner,
  createRateLimitedCounter,
  projectUsage,
  registerUsageRoutes,
} from './modules/usage/index.js'
import { registerUserLimitRoutes } from './modules/user-limits/index.js'
import {
  createSubscriptions,
  projectWebhooks,
  registerDeliveryRoutes,
  registerWebhookRoutes,
  startDeliveryWorker,
  startPeriodicChecks,
} from './modules/webhooks/index.js'
import { createOutbound, parseRange } from './outbound/index.js'
import {
  createHttpProvider,
  createMockProvider,
  createModelDirectory,
  createTokenCounter,
  dialects,
  loadCatalogue,
  mockModels,
  overrideCatalogue,
  readLiteLlmPrices,
  vendors,
} from './providers/index.js'

/** Reads the settings. What they may say of providers follows from the tables of vendors and dialects. */
export const readConfig = (source: Omit<ConfigSource, 'known'>): Config =>
  loadConfig({ ...source, known: { types: vendors, dialects: Object.keys(dialects) } })

export interface Service {
  /** Where it listens, e.g. http://127.0.0.1:7070 */
  address: string
  /** The value of the first manager key, when this start made it; it is told this once. */
  firstKey: string | null
  /** Stops accepting, lets calls end within the grace period, records all of them, and lets go of everything. */
  stop(): Promise<void>
}

export interface Storage extends Database {
  url: string
}

/** The database, embedded or external, with its schema up to date: all that the operator's commands need. */
export async function openStorage(config: Config, log: (message: string) => void): Promise<Storage> {
  let embedded: EmbeddedPostgres | null = null
  if (config.databaseUrl === null) embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const url = embedded?.url ?? config.databaseUrl ?? ''
  try {
    await migrate(url)
    const database = openDatabase(url, (error) => log(`a database connection was lost: ${error.message}`))
    return {
      url,
      db: database.db,
      async close() {
        await database.close()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

export interface StartOptions {
  /** Where several processes serve as one, their figures are added up; alone, a process shows its own. */
  shareMetrics?: (own: Metrics) => () => Promise<MetricsPage>
}

/** What must be there once, however many processes then serve: a key to sign with, a tenant, and a key to call with. */
export async function prepareInstance(config: Config, { db }: Storage) {
  // The embedded server has made it already, open to its own account.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const signingKey = await openKeyRing(db, { dataDir: config.dataDir, configured: config.signingKey })
  const firstKey = await inTransaction(db, async (tx) => {
    const tenant = await ensureFirstTenant(tx)
    if (!tenant) return null
    const key = { name: 'First manager key', role: 'manager' as const }
    return (await createKey(tx, operatorOf(tenant.id), key, config.bootstrapKey ?? undefined)).value
  })
  return { signingKey, firstKey }
}

/** The composition root: makes every part and hands each what it needs. */
export async function startService(config: Config, options: StartOptions = {}): Promise<Service> {
  const log = pino({
    level: config.logLevel,
    redact: ['req.headers.authorization', 'req.headers["x-api-key"]'],
  })
  const warn = (message: string) => log.warn(message)
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed; it is tried again')
  const metrics = createMetrics()
  const { packs, faults } = loadPacks(config.packsDir)
  if (faults.length > 0) throw new ConfigError(faults)

  // What it keeps.
  const storage = await openStorage(config, (message) => log.info(message))
  const { db, url } = storage
  const processId = newId('proc')
  const place = await takePlace(config, storage, processId, warn)
  const { signingKey, firstKey } = await prepareInstance(config, storage)
  const changes = await listenForChanges(url, warn)
  signingKey.follow(changes, log)
  const truth = createAdmissionTruth(db, (tenantId, accounts) =>
    readSpend(db, tenantId, accounts.map(toSpendQuery)),
  )
  const admission = config.redisUrl
    ? await createRedisAdmission({ url: config.redisUrl, truth, log })
    : createMemoryAdmission(truth)

  // Whom it calls of its own accord.
  const urlRules = {
    production: config.production,
    allowedRanges: config.webhooks.allowedRanges.map(parseRange),
  }
  const outbound = createOutbound(urlRules)
  const { retentionDays } = config.webhooks
  const webhookChecks = startPeriodicChecks({ db, now: () => new Date(), retentionDays, onError })
  const worker = startDeliveryWorker({
    db,
    changes,
    outbound,
    onError,
    onAttempt: ({ delivered }) => metrics.webhookAttempted(delivered),
  })

  // What it records, and in what way that is told.
  const subscriptions = await createSubscriptions({ db, changes, onError })
  const ledger = await openLedger({
    databaseUrl: url,
    dataDir: config.dataDir,
    signingKey,
    log,
    projections: [closeCalls, projectUsage, projectSpend, projectWebhooks(subscriptions, worker)],
    onRecorded(receipts) {
      metrics.groupCommitted(receipts.length)
      admission.record(receipts.map(toRecordedSpend)).catch(onError)
    },
  })

  const openCalls = await createOpenCalls({ databaseUrl: url, processId, log })
  const processes = await joinProcesses({
    db,
    processId,
    alone: config.redisUrl === null,
    onError,
    // It may have been admitting calls that it never noted, and recording some that it never told of.
    async onAbsent() {
      for (const { id } of await listTenants(db)) await admission.forget(id)
    },
    async bury(deadId) {
      const calls = await recordInterrupted(db, ledger, deadId)
      log.warn(
        { process: deadId, calls },
        'a process died; the calls that it left are recorded as interrupted',
      )
    },
  })

  // Who may call.
  const identities = createKeyIdentities({ db, changes, onError })
  const bearer = bearerResolver(identities.findByKey)
  const prompts = createPromptReader({ db, changes })

  // What may be called.
  const providers = config.providers.map(createHttpProvider)
  if (!config.production) providers.push(createMockProvider())
  const models = createModelDirectory({
    providers,
    catalogue: readCatalogues(config, warn),
    settings: config.models,
  })
  const tokens = await createTokenCounter({ onDegraded: warn })

  // What is limited and counted.
  const rateLimited = createRateLimitedCounter({ db, onError })
  const minutePruner = createMinutePruner({ db, now: () => new Date(), onError })
  const policySets = createPolicySets({ db, changes })
  const packsInForce = createPacksInForce({ db, changes })
  const spendLimits = createSpendLimits({ db, changes })

  // What it is evidence for.
  const now = () => new Date()
  const recordEvent = createEventRecorder({ signingKey: () => signingKey, now })
  const spans = createSpanVerifier({ db, databaseUrl: url })
  const erasures = createErasures({ db, recordEvent, onError })
  const dailyAnchor =
    config.anchor.type === 'none' ? null : createDailyAnchor({ db, target: config.anchor, now, onError })

  const { cursor_secret } = await db.selectFrom('instance').select('cursor_secret').executeTakeFirstOrThrow()
  const serviceSecret = (tenantId: string, policyId: string) =>
    deriveServiceSecret(cursor_secret, tenantId, policyId)
  const policies = createPolicyJudge({
    ask: createHttpAsker({ post: outbound.post, secretOf: serviceSecret, now }),
    holdBackChars: config.streamHoldBackChars,
  })

  // How it is reached.
  const stopping = new AbortController()
  // Every call under way listens to it, and stops listening when it ends.
  setMaxListeners(0, stopping.signal)
  const cursors = createCursors(cursor_secret)
  const app = await createServer({ log })
  const stopServer = prepareStop(app)
  await registerServiceRoutes(app, {
    metrics: options.shareMetrics?.(metrics) ?? metrics.read,
    signingKeys: async () => ({ keys: await listSigningKeys(db) }),
    async checkReady() {
      if (!ledger.available()) throw new Error('The record cannot be written: the database is away')
      if (!place.held()) throw new Error('Another process may be serving this database')
      await admission.check()
      await db.selectFrom('instance').select('id').execute()
    },
  })
  await registerManagement(app, [bearer], (management) => {
    registerKeyRoutes(management, { db, cursors, onChange: identities.forget })
    const promptRoutes = { db, cursors, onChange: prompts.forget }
    registerPromptVersionRoutes(management, promptRoutes)
    registerPromptLabelRoutes(management, promptRoutes)
    registerPromptRoutes(management, promptRoutes)
    registerPolicyRoutes(management, {
      db,
      cursors,
      urlRules,
      onChange: policySets.forget,
      serviceSecret,
      evaluate: createEvaluator({ models, tokens, prompts, spendLimits, policySets, packsInForce, policies }),
    })
    const budgets = {
      db,
      cursors,
      readReserved: (tenantId: string, query: SpendQuery) =>
        admission.reservedMicros(tenantId, toAccount(query)),
      onChange: spendLimits.forget,
    }
    registerBudgetRoutes(management, budgets)
    registerBudgetRequestRoutes(management, budgets)
    const people = { db, cursors, onChange: identities.forget }
    registerTeamRoutes(management, people)
    registerMemberRoutes(management, people)
    registerUserLimitRoutes(management, people)
    const webhooks = { db, cursors, outbound, onChange: subscriptions.forget }
    registerWebhookRoutes(management, webhooks)
    registerDeliveryRoutes(management, webhooks)
    registerAuditRoutes(management, { db, cursors })
    registerReceiptRoutes(management, { db, cursors })
    registerProofRoutes(management, { db })
    registerAttestationRoutes(management, { db, spans, now, stopping: stopping.signal })
    registerPackRoutes(management, { db, catalogue: packs, recordEvent, onChange: packsInForce.forget })
    registerErasureRoutes(management, { db, cursors, erasures })
    registerAnchorRoutes(management, { db, cursors })
    registerExportRoutes(management, { db })
    registerUsageRoutes(management, { db, now: () => new Date() })
  })
  const gateway = await registerGateway(app, {
    resolvers: [bearer, headerResolver('x-api-key', identities.findByKey)],
    entitlementsOf: identities.entitlementsOf,
    admission,
    models,
    tokens,
    prompts,
    spendLimits,
    policySets,
    packsInForce,
    policies,
    ledger,
    openCalls,
    mayServe: place.held,
    stopping: stopping.signal,
    now: () => performance.now(),
    onRateLimited({ entitlements, call, target }) {
      metrics.callRateLimited(call.dialect.name)
      rateLimited.count({ ...scopeIdsOf(entitlements), provider: target.provider.name, model: call.model })
    },
    onFinished: ({ call, target, outcome, latencyMs }) =>
      metrics.callFinished({
        provider: target.provider.name,
        endpoint: call.dialect.name,
        outcome,
        latencyMs,
      }),
  })
  const address = await app.listen({ host: config.host, port: config.port })

  async function stop(): Promise<void> {
    // Nothing new is sent from here on; what happens until the end waits in the database.
    const sent = worker.close(config.shutdownGraceMs)
    await stopServer(config.shutdownGraceMs, () => stopping.abort())
    // No caller is left, but what one that hung up has used may still be counted.
    await gateway.settled()
    // Every call has ended by now; what is left is to make their traces durable, the record first.
    await ledger.close()
    await Promise.all([openCalls.close(), processes.close()])
    await sent
    await Promise.all([
      webhookChecks.close(),
      rateLimited.close(),
      minutePruner.close(),
      spans.close(),
      erasures.close(),
      dailyAnchor?.close(),
      identities.close(),
      admission.close(),
      tokens.close(),
      outbound.close(),
      changes.close(),
      place.close(),
    ])
    await Promise.all(providers.map((provider) => provider.transport.close()))
    await storage.close()
  }
  return { address, firstKey, stop }
}

/** Limits in one process are no limits at all when a second one counts beside it. */
async function takePlace(
  { redisUrl }: Config,
  storage: Storage,
  processId: string,
  warn: (message: string) => void,
) {
  const kind = redisUrl === null ? 'alone' : 'shared'
  const place = await takeServingPlace(storage.url, kind, processId, warn)
  if (place) return place
  await storage.close()
  throw new ConfigError([
    redisUrl === null
      ? 'REDIS_URL: another process serves this database, and without Redis each would count for itself: every limit would hold twice. Set REDIS_URL for all of them, or stop the other one'
      : 'REDIS_URL: a process without Redis serves this database, and counts for itself. Start it again with REDIS_URL, or stop it',
  ])
}

// Budgets speak of dates and the record of receipts; admission, which knows neither, of accounts and milliseconds.
const toAccount = ({ scopeType, scopeId, start, end }: SpendQuery): Account => ({
  scopeType,
  scopeId,
  startMs: start.getTime(),
  endMs: end?.getTime() ?? null,
})
const toSpendQuery = ({ scopeType, scopeId, startMs, endMs }: Account): SpendQuery => ({
  scopeType,
  scopeId,
  start: new Date(startMs),
  end: endMs === null ? null : new Date(endMs),
})
const toRecordedSpend = (receipt: NumberedReceipt): RecordedSpend => ({
  tenantId: receipt.tenantId,
  callId: receipt.draft.id,
  seq: receipt.seq,
  micros: receipt.draft.costMicros ?? 0,
  tokens: (receipt.draft.inputTokens ?? 0) + (receipt.draft.outputTokens ?? 0),
  atMs: Date.parse(receipt.draft.ts),
  scopes: scopesOf(receipt),
})

function readCatalogues(config: Config, warn: (message: string) => void) {
  const catalogue = overrideCatalogue(loadCatalogue(), config.production ? [] : mockModels)
  if (config.pricesFile === null) return catalogue
  const { models, faults } = readLiteLlmPrices(readFileSync(config.pricesFile, 'utf8'))
  for (const fault of faults) warn(`${config.pricesFile}: ${fault}`)
  return overrideCatalogue(catalogue, models)
}
