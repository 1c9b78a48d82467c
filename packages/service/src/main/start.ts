import { type Config, type ConfigSource, loadConfig } from '../config/index.js'
import type { Periodic } from '../db/index.js'
import { warnOfBacklog } from '../http/index.js'
import { knownProviders } from '../providers/index.js'
import { startBackground } from './background/background.js'
import { type Closers, closeOnce, createClosers } from './closers.js'
import { mountGateways } from './gateways.js'
import { openInfrastructure } from './infrastructure/infrastructure.js'
import { mountManagementApi } from './management/management-api.js'
import { openRecord } from './record/record.js'
import { openRules } from './rules.js'
import { openServer, type ShareMetrics } from './server.js'

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
  /** Alone, a process shows its own figures. */
  shareMetrics?: ShareMetrics
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

/** The composition root: each stage gets those before it. What is added to `closers` last is closed first. */
async function compose(config: Config, options: StartOptions, closers: Closers): Promise<Service> {
  const infrastructure = await openInfrastructure(config, closers)
  const { log, failed, storage, stopping } = infrastructure
  const record = await openRecord(infrastructure)
  const rules = await openRules(infrastructure, record)
  const http = await openServer(infrastructure, record, options.shareMetrics)
  // Its worker begins once the service listens, and is woken by what is asked of it.
  let jobs: Periodic | null = null
  const wakeJobs = () => jobs?.wake()
  const { events } = await mountManagementApi(infrastructure, record, rules, http, wakeJobs)
  const gateways = await mountGateways(infrastructure, record, rules, http, wakeJobs)

  const background = createClosers()
  const endingBackground = closers.add(closeOnce(background.close))
  // With no caller left, nobody wants what a database that hangs might still answer.
  closers.add({ close: storage.hurry })
  closers.add({
    // When no caller is left, the answer to one that hung up may still be read for its usage.
    close: () =>
      http.server.stop({
        ...{ graceMs: config.shutdownGraceMs, idleMs: config.drainMs, settled: gateways.settled },
        onOverdue: () => stopping.abort(),
      }),
  })
  // First of all: a stream has no end that the server could wait for.
  closers.add(events)
  const { host, port, listenBacklog: backlog } = config
  const address = await http.app.listen({ host, port, backlog })
  warnOfBacklog(log, backlog)
  // Not before: making the routes ready keeps the process busy for a second, in which it could not read an answer of Redis or the database.
  jobs = startBackground(infrastructure, { record, rules, http, gateways }, background)

  return {
    address,
    firstKey: infrastructure.firstKey,
    broken: storage.broken,
    drain: http.server.drain,
    async stop() {
      // No more webhooks from here on, while calls end. What happens until the end waits in the database.
      record.sending.close().catch(failed('ending the delivery of webhooks'))
      endingBackground.close().catch(failed('ending background work'))
      await closers.close()
    },
  }
}
