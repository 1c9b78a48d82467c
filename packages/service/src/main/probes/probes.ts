import type { Readiness } from '../../http/index.js'
import type { AdmissionStore } from '../../limits/index.js'
import type { RegisteredProcess } from '../../record/index.js'
import { checkDisk, checkSpool, readDirectoryState } from './data-directory.js'
import { checkDatabase, type DatabaseParts, readDatabaseState } from './database-check.js'
import type { Findings } from './finding.js'
import { checkLimits } from './limits-check.js'
import { observe } from './observe.js'
import { createReadiness } from './readiness.js'
import { checkRecord, type RecordParts } from './record-check.js'
import { checkWorkers, type WorkerGroup } from './workers-check.js'

export interface ProbeParts {
  dataDir: string
  processId: string
  usesRedis: boolean
  storage: DatabaseParts['storage'] & { db: Parameters<typeof readDatabaseState>[0] }
  servingLock: DatabaseParts['servingLock']
  admission: Pick<AdmissionStore, 'check'>
  ledger: RecordParts['ledger'] & { pending(): { spooled: number } }
  openCalls: RecordParts['openCalls']
  processes: Pick<RegisteredProcess, 'fault'>
  isStopping(): boolean
  workerGroup(): WorkerGroup | null
  now(): Date
}

export interface Probes {
  findings(): Promise<Findings>
  readiness(): Promise<Readiness>
  /** Returns the free space of the data directory at the last look. Null when it is not known. */
  freeBytes(): number | null
}

// Several load balancers may ask each second.
const answerMaxAgeMs = 1_000
const directoryMaxAgeMs = 5_000

/**
 * Checks everything that calls depend on. What is outside this process is asked once a second at most, and only while somebody reads.
 * Reading takes no longer than one look may take, whatever hangs.
 */
export function createProbes(parts: ProbeParts): Probes {
  const { storage, servingLock, admission, ledger, openCalls, processes, dataDir, processId, usesRedis } =
    parts
  const observeDatabase = observe({
    look: () => readDatabaseState(storage.db),
    maxAgeMs: answerMaxAgeMs,
  })
  const observeLimits = observe({ look: () => admission.check(), maxAgeMs: answerMaxAgeMs })
  const observeDirectory = observe({
    look: () => readDirectoryState(dataDir, processId),
    maxAgeMs: directoryMaxAgeMs,
  })
  const toReadiness = createReadiness(parts.now)
  let freeBytes: number | null = null

  async function findings(): Promise<Findings> {
    const [database, limits, directory] = await Promise.all([
      observeDatabase(),
      observeLimits(),
      observeDirectory(),
    ])
    freeBytes = 'seen' in directory ? directory.seen.freeBytes : null
    const recordFault = ledger.fault() ?? openCalls.fault()
    return {
      database: checkDatabase({
        ...{ observation: database, storage, servingLock, isRecording: recordFault === null },
        writeFault: processes.fault() ?? recordFault,
      }),
      limits: checkLimits(limits, usesRedis),
      record: checkRecord({ ledger, openCalls, database }),
      spool: checkSpool(directory, ledger.pending().spooled),
      disk: checkDisk(directory),
      workers: checkWorkers(parts.workerGroup(), parts.isStopping()),
    }
  }

  return { findings, readiness: async () => toReadiness(await findings()), freeBytes: () => freeBytes }
}
