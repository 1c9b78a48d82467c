import type { Cause } from '../../../packages/service/src/main/probes/finding.js'
import { type DependencyFault, dependencyFaults as listed } from '../dependency-faults.js'
import type { Fault } from './fault.js'

// Whether a receipt is being written at that moment decides these.
const dependsOnLoad = new Set(['TallystickSpoolNotDrained', 'TallystickRecordNotWritable'])

/** The look at the disk writes into the spool. The others are seen while the fault begins or ends, and connections are lost. */
const alsoNamed: Partial<Record<Cause, readonly Cause[]>> = {
  spool_not_writable: ['disk_not_writable'],
  database_exhausted: ['database_unreachable'],
  redis_refuses_writes: ['redis_unreachable'],
}

/** The faults that the test of the probes makes, under load. One replica has those of the data directory. */
export const dependencyFaults: readonly Fault[] = listed.map(toFault)

function toFault({ name, cause, alerts, strike, lacks }: DependencyFault): Fault {
  return {
    name,
    expected: {
      causes: [cause],
      mayName: alsoNamed[cause] ?? [],
      alerts: alerts.filter((alert) => !dependsOnLoad.has(alert)),
    },
    async strike(deployment) {
      const { postgres, redis, replicas, api, lasts } = deployment
      const heal = await strike({ postgres, redis, api, dataDir: replicas.any().dataDir })
      await lasts()
      await heal()
    },
    ...(lacks && { lacks }),
  }
}
