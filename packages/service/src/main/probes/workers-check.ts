import type { Finding } from './finding.js'

/** How many workers of a service do not serve: those that are silent, and those that are being started. */
export interface WorkerGroup {
  count: number
  silent: number
  missing: number
}

/** Finds what is wrong with the processes of this service. Null when there is only this one. */
export function checkWorkers(group: WorkerGroup | null, isStopping: boolean): Finding[] {
  if (isStopping) return [{ cause: 'stopping', message: 'The service is shutting down' }]
  if (group === null) return []
  const findings: Finding[] = []
  if (group.silent > 0)
    findings.push({
      cause: 'worker_silent',
      message: `${group.silent} of ${group.count} workers do not respond. They are killed and replaced after TALLYSTICK_WORKER_SILENCE_MS`,
    })
  if (group.missing > 0)
    findings.push({
      cause: 'worker_missing',
      message: `${group.missing} of ${group.count} workers are being started. The log says why they ended`,
    })
  return findings
}
