import { type RecordException, readException } from '@tallystick/record/format'

/** How many receipts a check applied to, and in how many of them it came to a verdict. */
export interface CheckTally {
  applicable: number
  finished: number
}

/** What the entries of a period add up to. Plain data, since it is sent between threads. */
export interface Tally {
  entries: number
  modelReceipts: number
  toolReceipts: number
  policyEvaluated: number
  enforcementActions: number
  upstreamFailures: number
  /** Receipts whose commitments can no longer be opened, since their key was deleted. */
  unlinkable: number
  checks: Map<string, CheckTally>
  packs: Set<string>
  /** Entries that limit what the record proves. */
  exceptions: RecordException[]
}

export type EntryFields = Readonly<Record<string, unknown>>

export const emptyTally = (): Tally => ({
  entries: 0,
  modelReceipts: 0,
  toolReceipts: 0,
  policyEvaluated: 0,
  enforcementActions: 0,
  upstreamFailures: 0,
  unlinkable: 0,
  checks: new Map(),
  packs: new Set(),
  exceptions: [],
})

/** Checks the type of each value: that bytes are verified does not mean that they have the right types. */
export function tallyEntry(tally: Tally, fields: EntryFields, hasKey: boolean): void {
  tally.entries += 1
  if (fields.kind === 'model') tally.modelReceipts += 1
  if (fields.kind === 'tool') tally.toolReceipts += 1
  if (fields.outcome === 'blocked' || fields.outcome === 'redacted') tally.enforcementActions += 1
  if (fields.outcome === 'upstream_error') tally.upstreamFailures += 1
  if (!hasKey && (fields.request !== undefined || fields.response !== undefined)) tally.unlinkable += 1
  if (Array.isArray(fields.checks)) tallyChecks(tally, fields.checks)
  if (Array.isArray(fields.packs))
    for (const pack of fields.packs) if (typeof pack === 'string') tally.packs.add(pack)
  const exception = fields.kind === 'control' ? readException(fields) : null
  if (exception) tally.exceptions.push(exception)
}

/** Several policies of one kind share a check name: the check finished when all of those that applied did. */
function tallyChecks(tally: Tally, checks: readonly unknown[]): void {
  const unfinished = new Set<string>()
  const applied = new Set<string>()
  let hasPolicyVerdict = false
  for (const check of checks) {
    if (!isCheck(check) || check.applicable !== true) continue
    const isFinished = check.result === 'pass' || check.result === 'fail'
    applied.add(check.name)
    if (!isFinished) unfinished.add(check.name)
    else if (check.policy !== undefined) hasPolicyVerdict = true
  }
  if (hasPolicyVerdict) tally.policyEvaluated += 1
  for (const name of applied) addCheck(tally, name, 1, unfinished.has(name) ? 0 : 1)
}

function addCheck({ checks }: Tally, name: string, applicable: number, finished: number): void {
  const counted = checks.get(name)
  if (counted === undefined) checks.set(name, { applicable, finished })
  else {
    counted.applicable += applicable
    counted.finished += finished
  }
}

interface Check {
  name: string
  applicable?: unknown
  result?: unknown
  policy?: unknown
}

const isCheck = (value: unknown): value is Check =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'

export function addTally(sum: Tally, added: Tally): void {
  sum.entries += added.entries
  sum.modelReceipts += added.modelReceipts
  sum.toolReceipts += added.toolReceipts
  sum.policyEvaluated += added.policyEvaluated
  sum.enforcementActions += added.enforcementActions
  sum.upstreamFailures += added.upstreamFailures
  sum.unlinkable += added.unlinkable
  for (const [name, { applicable, finished }] of added.checks) addCheck(sum, name, applicable, finished)
  for (const pack of added.packs) sum.packs.add(pack)
  sum.exceptions.push(...added.exceptions)
}
