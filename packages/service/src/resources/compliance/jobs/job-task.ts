import type { ExportHeader } from '../../../record/index.js'
import type { Period } from '../attestation/attestation-period.js'

/**
 * The span that a job covers, fixed when it was requested: later entries are not included. `isSealed`: the span
 * ended with a seal.
 */
export type JobTask =
  | { kind: 'export'; header: ExportHeader; isSealed: boolean }
  | { kind: 'attestation'; period: Period; recordSize: number }

export const writeTask = (task: JobTask): string => JSON.stringify(task)
export const readTask = ({ task }: { task: string }): JobTask => JSON.parse(task)

/** Returns the file name of the result; an export has the same name as one that is streamed. */
export function nameOf(tenantId: string, task: JobTask): string {
  if (task.kind === 'attestation') return `${tenantId}-attestation-${task.period.label}.json`
  const { tenant, fromSeq, toSeq } = task.header
  return `${tenant}-${fromSeq}-${toSeq}.jsonl`
}
