import type { Readiness } from '../../http/index.js'
import { type CheckName, type Finding, type Findings, type State, stateOf } from './finding.js'

const severity: Record<State, number> = { ready: 0, degraded: 1, unready: 2 }

type Check = Readiness['checks'][CheckName]

/** Remembers since when each check has its state, so that a reader sees how long something has been wrong. */
export function createReadiness(now: () => Date): (findings: Findings) => Readiness {
  const startedAt = now().toISOString()
  const initial = (): Check => ({ state: 'ready', since: startedAt })
  let checks: Readiness['checks'] = {
    database: initial(),
    limits: initial(),
    record: initial(),
    spool: initial(),
    disk: initial(),
    workers: initial(),
  }

  function update(name: CheckName, findings: readonly Finding[]): Check {
    const [worst] = findings.toSorted((a, b) => severity[stateOf(b)] - severity[stateOf(a)])
    const before = checks[name]
    const state = worst === undefined ? 'ready' : stateOf(worst)
    const isSame = before.state === state && before.cause === worst?.cause
    const since = isSame ? before.since : now().toISOString()
    if (worst === undefined) return { state, since }
    return {
      ...{ state, since, cause: worst.cause },
      message: findings.map(({ message }) => message).join('. '),
    }
  }

  return (findings) => {
    checks = {
      database: update('database', findings.database),
      limits: update('limits', findings.limits),
      record: update('record', findings.record),
      spool: update('spool', findings.spool),
      disk: update('disk', findings.disk),
      workers: update('workers', findings.workers),
    }
    return { status: worstOf(Object.values(checks)), checks }
  }
}

export const worstOf = (checks: readonly { state: State }[]): State =>
  checks.reduce<State>((worst, { state }) => (severity[state] > severity[worst] ? state : worst), 'ready')
