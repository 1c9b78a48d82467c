import type { Ledger, OpenCalls } from '../../record/index.js'
import type { DatabaseState } from './database-check.js'
import { describeDatabaseFault } from './database-fault.js'
import type { Finding } from './finding.js'
import type { Observation } from './observe.js'

// Time servers adjust clocks by less. `tallystick doctor` has the same.
export const maxClockDifferenceMs = 2_000

export interface RecordParts {
  ledger: Pick<Ledger, 'fault' | 'refused'>
  openCalls: Pick<OpenCalls, 'fault'>
  database: Observation<DatabaseState>
}

/** Finds why receipts are not recorded, or not with the right time. */
export function checkRecord({ ledger, openCalls, database }: RecordParts): Finding[] {
  const findings: Finding[] = []
  const fault = ledger.fault() ?? openCalls.fault()
  if (fault !== null)
    findings.push({
      cause: 'record_not_writable',
      message: `Receipts cannot be written. ${describeDatabaseFault(fault).message}`,
    })
  const [refused, ...others] = ledger.refused()
  if (refused)
    findings.push({
      cause: 'record_refused',
      message: `${refused.message}${others.length > 0 ? `. The same holds for ${others.length} more tenants` : ''}`,
    })
  const aheadMs = 'seen' in database ? database.seen.clockAheadMs : 0
  if (Math.abs(aheadMs) > maxClockDifferenceMs)
    findings.push({
      cause: 'clock_off',
      message: `The clock of this machine is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${
        aheadMs > 0 ? 'ahead of' : 'behind'
      } that of the database. Times in the record, limits per minute and periods of budgets follow it: check the time service of both`,
    })
  return findings
}
