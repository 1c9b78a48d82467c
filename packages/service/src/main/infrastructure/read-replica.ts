import { type Config, ConfigError } from '../../config/index.js'
import { type Db, openDatabase, ReadReplica, type ReplicaReads, withoutReplica } from '../../db/index.js'
import type { Metrics } from '../../observability/index.js'

interface ReplicaParts {
  config: Config
  db: Db
  log: { info(message: string): void; warn(message: string): void }
  metrics: Metrics
}

/**
 * Opens the read replica. One that is away or behind is no reason not to start, because the primary answers all reads. One of another
 * database is, because its answers would be wrong.
 */
export async function openReplicaReads({
  config,
  db,
  log,
  metrics,
}: ReplicaParts): Promise<ReplicaReads & { close(): Promise<void> }> {
  const { databaseReadUrl: url, databaseReadMaxLagMs: maxLagMs, databaseConnections: max } = config
  if (url === null) return { ...withoutReplica(db), close: async () => undefined }
  const onError = (error: Error) => log.info(`a connection to the read replica was lost: ${error.message}`)
  const database = openDatabase(url, onError, { max })
  const counts = {
    replica: metrics.counter('replicaReads', {}),
    primary: metrics.counter('replicaFallbacks', {}),
  }
  const reads = new ReadReplica({
    primary: db,
    replica: database.db,
    maxLagMs,
    onRead: (place) => counts[place].add(1),
    onChange(state) {
      if (state.isUsable) log.info('TALLYSTICK_DATABASE_READ_URL: the read replica answers reads')
      else
        log.warn(
          `TALLYSTICK_DATABASE_READ_URL: the primary answers reads in place of the replica: ${state.reason}`,
        )
    },
  })
  const state = await reads.state()
  if (!state.isUsable && state.cause === 'other_database') {
    await database.close()
    throw new ConfigError([`TALLYSTICK_DATABASE_READ_URL: ${state.reason}`])
  }
  let last = state
  metrics.beforeReading(async () => {
    last = await reads.state()
  })
  metrics.watch('replicaUsable', () => (last.isUsable ? 1 : 0))
  metrics.watch('replicaLag', () => (last.isUsable ? last.lagMs / 1_000 : null))
  return { run: (read) => reads.run(read), choose: (hasAll) => reads.choose(hasAll), close: database.close }
}
