import { databaseFaults } from './database.js'
import { dependencyFaults } from './dependencies.js'
import { diskFaults } from './disk.js'
import type { Fault } from './fault.js'
import { loadFaults } from './load.js'
import { providerFaults } from './provider.js'
import { receiverFaults } from './receivers.js'
import { redisFaults } from './redis.js'
import { replicaFaults } from './replicas.js'
import { restoreFaults } from './restore.js'
import { startFaults } from './start.js'

/** Those that end a record come last, since they need a new database afterwards. */
export const faults: readonly Fault[] = [
  ...replicaFaults,
  ...databaseFaults,
  ...dependencyFaults,
  ...redisFaults,
  ...diskFaults,
  ...startFaults,
  ...providerFaults,
  ...receiverFaults,
  ...loadFaults,
  ...restoreFaults,
]
