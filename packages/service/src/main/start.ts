import type { Duplex } from 'node:stream'
import {
  type Config,
  ConfigError,
  type ConfigSource,
  loadConfig,
  MissingSecretsError,
  type SecretValues,
} from '../config/index.js'
import type { Periodic } from '../db/index.js'
import { warnOfBacklog } from '../http/index.js'
import { vendorRules } from '../providers/index.js'
import { loadPacks } from '../resources/packs/index.js'
import type { SecretReader } from '../secret-stores/index.js'
import { startBackground } from './background/background.js'
import { type Closers, closeOnce, createClosers } from './closers.js'
import { mountGateways } from './gateways.js'
import { type Infrastructure, openInfrastructure } from './infrastructure/infrastructure.js'
import { mountManagementApi } from './management/management-api.js'
import type { WorkerGroup } from './probes/workers-check.js'
import { openRecord } from './record/record.js'
import { reload } from './reload/reload.js'
import { openRules } from './rules.js'
import { openServer, type ShareMetrics } from './server.js'

type Source = Omit<ConfigSource, 'known' | 'faultsInPacks'>

/** Reads the configuration. The lists of vendors and endpoints determine which provider settings are valid. */
export const readConfig = (source: Source): Config =>
  loadConfig({ ...source, known: vendorRules, faultsInPacks: (folder) => loadPacks(folder).faults })

/** Reads the configuration, and from secret stores what it refers to. */
export async function readConfigWithSecrets(
  source: Omit<Source, 'secretValues'>,
  secrets: SecretReader,
): Promise<Config> {
  let secretValues: SecretValues = new Map()
  for (;;) {
    try {
      const config = readConfig({ ...source, secretValues })
      secrets.retain(secretValues.keys())
      return config
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (!(error instanceof MissingSecretsError))
        throw new ConfigError([...secrets.faults(), ...error.faults])
      secretValues = await secrets.read([...secretValues.keys(), ...error.references])
    }
  }
}

export interface Service {
  /** The address that it listens on, such as http://127.0.0.1:7070. */
  address: string
  /** The value of the first manager key if this start created it; null otherwise. It is shown only once. */
  firstKey: string | null
  /** Resolves when the embedded database cannot be restarted, so that no call can be served. The error says what to do. */
  broken: Promise<Error>
  log: Infrastructure['log']
  /** Returns the configuration that is in use now. */
  config(): Config
  /** Reads the configuration again and applies what can change. A fault changes nothing and is logged. */
  reload(read: () => Config | Promise<Config>): Promise<void>
  /** Applies a configuration that the supervisor has read. */
  apply(next: Config): Promise<void>
  /** Reports the service as not ready and closes connections after their next answer. All calls are still served. */
  drain(): void
  /** Stops accepting calls, lets calls in progress end within the grace period, records all of them, and closes everything. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Combines the metrics of several worker processes. Without it, only the metrics of this process are shown. */
  shareMetrics?: ShareMetrics
  /** Returns how many workers of this service do not serve. Without it, this process is the only one. */
  workerGroup?: () => WorkerGroup | null
  /** Returns how many references to secrets cannot be read, while their values stay in use. */
  secretOutages?: () => number
  /** Returns why the bundled database, which the supervisor runs, is not available. Null while it is. */
  databaseFault?: () => string | null
  /** Leads to the supervisor, which counts limits for this process and others. Without it, this process or Redis counts them. */
  limits?: Duplex | null
}

/** Starts the service. If a component fails to start, those before it are closed. */
export async function startService(config: Config, options: StartOptions = {}): Promise<Service> {
  const closers = createClosers()
  try {
    return await compose(config, options, closers)
  } catch (error) {
    await closers.close().catch(() => undefined)
    throw error
  }
}

/** The composition root: each stage receives the stages before it. What is added to `closers` last is closed first. */
async function compose(config: Config, options: StartOptions, closers: Closers): Promise<Service> {
  const infrastructure = await openInfrastructure(config, closers, options.limits ?? null)
  const { live, log, failed, storage, stopping } = infrastructure
  if (options.secretOutages) infrastructure.metrics.watch('secretOutages', options.secretOutages)
  const record = await openRecord(infrastructure)
  const rules = await openRules(infrastructure, record)
  const http = await openServer(infrastructure, record, options)
  // The job worker starts after the service listens. Requests that add a job wake it.
  let jobs: Periodic | null = null
  const wakeJobs = () => jobs?.wake()
  const { events } = await mountManagementApi(infrastructure, record, rules, http, wakeJobs)
  const gateways = await mountGateways(infrastructure, record, rules, http, wakeJobs)

  const background = createClosers()
  const backgroundClosing = closers.add(closeOnce(background.close))
  // When no caller is left, pending queries on a database that hangs are cancelled.
  closers.add({ close: storage.shortenTimeouts })
  closers.add({
    // When no caller is left, answers to callers that disconnected may still be read for their usage.
    close: () =>
      http.server.stop({
        ...{ graceMs: live.current().shutdownGraceMs, idleMs: live.current().drainMs },
        settled: gateways.settled,
        onOverdue: () => stopping.abort(),
      }),
  })
  // Events are closed first: their streams do not end by themselves, so the server would wait for them.
  closers.add(events)
  const { host, port, listenBacklog: backlog } = config
  const isSecure = config.tls !== null
  const toUrl = (listening: string) => (isSecure ? listening.replace(/^http:/, 'https:') : listening)
  const address = toUrl(
    await http.app.listen({
      ...{ host, port, backlog },
      listenTextResolver: (listening) => `Server listening at ${toUrl(listening)}`,
    }),
  )
  warnOfBacklog(log, backlog)
  // Started only now: compiling the routes blocks the process for a second, and checks of Redis and the database would time out.
  jobs = startBackground(infrastructure, { record, rules, http, gateways }, background)

  return {
    address,
    firstKey: infrastructure.firstKey,
    log,
    broken: storage.broken,
    config: live.current,
    reload: (read) =>
      reload({
        ...{ db: storage.db, log, current: live.current(), read },
        apply: ({ next }) => live.apply(next),
      }),
    apply: (next) => live.apply(next).catch(failed('applying the configuration')),
    drain: http.server.drain,
    async stop() {
      // Webhooks are no longer delivered while calls end. Events that happen until then wait in the database.
      record.sending.close().catch(failed('stopping the delivery of webhooks'))
      backgroundClosing.close().catch(failed('stopping background work'))
      await closers.close()
    },
  }
}
