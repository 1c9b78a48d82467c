import { readFileSync } from 'node:fs'
import type { Cause } from '../../packages/service/src/main/probes/finding.js'
import { evaluateAlerts, hasPromtool, listMetricsOfAlerts } from '../harness/reporting/firing-alerts.js'
import { type Audit, audit } from './audit.js'
import type { Seen } from './callers.js'
import type { Deployment } from './deployment.js'
import { type Fault, runbookOf } from './faults/fault.js'
import { type Observed, Observer } from './observe.js'
import { extrapolate, idOf, phases } from './series.js'

// Whether these fire depends on the machine that the trial runs on.
const isAboutMachine = /^Tallystick(?:EventLoopLate|CommitSlow|DatabaseSlow|ConnectionsShort)$/
// These follow from others, and from what is in progress at the moment.
const following = new Set<Cause>([
  ...([
    'record_not_writable',
    'spool_not_drained',
    'spool_not_writable',
    'disk_low',
    'worker_missing',
    'stopping',
  ] as const),
])

/** One line of the table. */
export interface Row {
  name: string
  outcomes: Record<string, number>
  longestGapMs: number
  recoveredMs: number
  statuses: string[]
  causes: string[]
  /** What /readyz says of each cause. */
  messages: Record<string, string>
  metrics: string[]
  alerts: string[]
  runbook: string
  lost: number
  doubled: number
  /** Differences from what was expected, a sentence each. */
  faults: string[]
}

const operate = new URL('../../docs/operate/', import.meta.url)

/** Strikes replicas under load with one fault, and compares what everybody sees with what the fault expects. */
export async function strike(deployment: Deployment, fault: Fault, watch: Watch): Promise<Row> {
  const { callers, provider, replicas } = deployment
  provider.seen.clear()
  callers.start()
  const observer = new Observer(replicas)
  await observer.begin()
  watch.observer = observer
  const faults: string[] = []
  let recoveredMs = 0
  try {
    await fault.strike(deployment)
    const endedMs = performance.now()
    await deployment.recovered()
    recoveredMs = performance.now() - endedMs
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
  }
  const seen = callers.take()
  await Promise.all([callers.stop(), observer.stopWatching()])
  const found = await audit({ ...deployment, seen: provider.seen }, fault.expected.losesCommits ?? false)
  const observed = await observer.end()
  const isMeant = (alert: string) => !isAboutMachine.test(alert) || fault.expected.alerts.includes(alert)
  const alerts = hasPromtool ? (await firing(observed)).filter(isMeant) : []
  return {
    ...describe(fault, seen, observed),
    ...{ recoveredMs, alerts, metrics: await moved(observed, alerts) },
    ...{ lost: found.lost, doubled: found.doubled },
    faults: [...faults, ...compare(fault, observed, alerts, found)],
  }
}

/** Who watches the fault that is there: the wait of a fault belongs to the deployment, which outlives it. */
export interface Watch {
  observer: Observer | null
}

const describe = ({ name, expected }: Fault, { outcomes, longestGapMs }: Seen, observed: Observed) => ({
  ...{ name, longestGapMs, runbook: runbookOf(expected) },
  outcomes: Object.fromEntries([...outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  statuses: [...observed.statuses].toSorted(),
  causes: [...observed.causes.keys()].toSorted(),
  messages: Object.fromEntries(observed.causes),
})

/** Alerts that fire if the fault lasts for an hour and a half. */
async function firing(observed: Observed): Promise<string[]> {
  const lasted = observed.during.length > 0 ? phases.during : 0
  return await evaluateAlerts(extrapolate(observed), phases.before + lasted + phases.after - 1)
}

/** The metrics that alerts have fired for, with the values that they had in the fault and not before. */
async function moved({ before, during, after }: Observed, alerts: readonly string[]): Promise<string[]> {
  const byAlert = await listMetricsOfAlerts()
  const names = new Set(['tallystick_fault', ...alerts.flatMap((alert) => byAlert.get(alert) ?? [])])
  const found = new Set<string>()
  const isDown = [...during, after].some(({ pages }) => pages.includes(null))
  if (isDown) found.add('up')
  const old = before.pages.map((page) => new Map(page?.samples.map((sample) => [idOf(sample), sample.value])))
  for (const { pages } of [...during, after])
    for (const [index, page] of pages.entries())
      for (const sample of page?.samples ?? [])
        if (names.has(sample.name) && (old[index]?.get(idOf(sample)) ?? 0) !== sample.value)
          found.add(sample.name === 'tallystick_fault' ? idOf(sample) : sample.name)
  return [...found].toSorted()
}

function compare(
  { expected }: Fault,
  { causes }: Observed,
  alerts: readonly string[],
  found: Audit,
): string[] {
  const faults = [...found.faults]
  for (const cause of expected.causes) if (!causes.has(cause)) faults.push(`/readyz does not say ${cause}`)
  for (const [cause, message] of causes)
    if (![...expected.causes, ...(expected.mayName ?? [])].includes(cause) && !following.has(cause))
      faults.push(`/readyz says ${cause}: ${message}`)
  if (hasPromtool)
    for (const alert of expected.alerts) if (!alerts.includes(alert)) faults.push(`${alert} does not fire`)
  if (expected.losesCommits === undefined && found.lost > 0) faults.push(`${found.lost} calls are lost`)
  if (found.doubled > 0) faults.push(`${found.doubled} calls are recorded twice`)
  const missing = missingEntry(runbookOf(expected))
  return missing === null ? faults : [...faults, missing]
}

/** Null when the section exists. */
export function missingEntry(runbook: string): string | null {
  const [page = '', anchor] = runbook.split('#')
  const headings = readFileSync(new URL(page, operate), 'utf8').matchAll(/^#+ (.+)$/gm)
  const anchors = [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  return anchor === undefined || anchors.includes(anchor) ? null : `there is no section ${runbook}`
}
