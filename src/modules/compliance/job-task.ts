import type { ExportHeader } from '../../ledger/index.js'
import type { Period } from './attestation-period.js'

/** What a job makes, fixed when it was requested: what is recorded later is not in it. `isSealed`: a seal stood at the end of the span. */
export type JobTask =
  | { kind: 'export'; header: ExportHeader; isSealed: boolean }
  | { kind: 'attestation'; period: Period; recordSize: number }

export const writeTask = (task: JobTask): string => JSON.stringify(task)
export const readTask = ({ task }: { task: string }): JobTask => JSON.parse(task)

/** The file that the result is offered as; an export has the same name as one that is streamed. */
export function nameOf(tenantId: string, task: JobTask): string {
  if (task.kind === 'attestation') return `${tenantId}-attestation-${task.period.label}.json`
  const { tenant, fromSeq, toSeq } = task.header
  return `${tenant}-${fromSeq}-${toSeq}.jsonl`
}
