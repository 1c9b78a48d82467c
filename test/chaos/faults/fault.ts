import type { Cause } from '../../../packages/service/src/main/probes/finding.js'
import type { Deployment } from '../deployment.js'

/** What probes, alerts and the runbook must say about a fault. */
export interface Expected {
  /** Causes that /readyz of some replica must name. None where nothing needs an operator. */
  causes: readonly Cause[]
  /** Causes that it may name while the fault comes and goes. */
  mayName?: readonly Cause[]
  /** Alerts that must fire if the fault lasts for an hour and a half. */
  alerts: readonly string[]
  /** The section that says what to do, from docs/operate. The one of the first alert if it is missing. */
  runbook?: string
  /** The fault takes away what was durable, as the documentation says. What remains must verify. */
  losesCommits?: true
}

/** Something that goes wrong, and is over when `strike` resolves. */
export interface Fault {
  name: string
  expected: Expected
  /** Calls `lasts` while the fault is there, unless it is over at once. */
  strike(deployment: Deployment): Promise<void>
  /** Why it cannot be tried here; null when it can. */
  lacks?(): string | null
}

/** For faults that end by themselves and refuse few calls or none. */
export const noAlert = (runbook: string): Expected => ({ causes: [], alerts: [], runbook })

export const runbookOf = ({ alerts, runbook }: Expected): string =>
  runbook ?? `alerts.md#${alerts[0]?.toLowerCase() ?? ''}`
