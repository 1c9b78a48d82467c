import type { FaultKind } from '../fault.js'

/** The result of a check, for people and for scripts. */
export interface Finding {
  file: string
  kind: 'export' | 'receipt' | 'proof' | 'consistency' | 'attestation' | 'costs'
  /** Null when all holds. `seq` is null when the fault is not in a single entry. */
  fault: {
    kind: FaultKind | 'malformed_proof' | 'mismatch' | 'wrong_cost'
    seq: number | null
    message: string
  } | null
  /** Why it is not verified although nothing is wrong with it: what a verdict would rest on is not there. */
  unproved?: string
  /** What the record itself says is missing, erased or in doubt, one sentence each. */
  exceptions?: string[]
  /** What the check showed, one sentence each. */
  established: string[]
  /** What it could not show, and what to do about it. */
  remarks: string[]
  /** For scripts: counts, keys, sizes. */
  facts: Record<string, string | number | string[] | number[] | null>
}

export const exitCodes = { verified: 0, fault: 1, consistent: 2, unusable: 2 } as const

/**
 * `consistent`: no fault, but something is not proved. The keys may be those that the file itself lists: whoever forges a record seals
 * it with a key of their own, and lists that, so much is true of a forgery, too.
 */
export type Verdict = 'verified' | 'consistent' | 'fault'

export function verdictOf(findings: readonly Finding[], isSignerKnown: boolean): Verdict {
  if (findings.some(({ fault }) => fault !== null)) return 'fault'
  return isSignerKnown && findings.every(({ unproved }) => unproved === undefined) ? 'verified' : 'consistent'
}

export function describeFindings(findings: readonly Finding[], isSignerKnown: boolean): string {
  return findings.map((finding) => describe(finding, isSignerKnown)).join('\n\n')
}

function describe(finding: Finding, isSignerKnown: boolean): string {
  const { file, fault, unproved, exceptions = [], established, remarks } = finding
  const place = fault?.seq == null ? '' : ` at entry ${fault.seq}`
  const reason = isSignerKnown ? unproved : 'signer unknown'
  const count = exceptions.length === 0 ? '' : `, with ${formatCount(exceptions.length, 'exception')}`
  const holds = `${reason === undefined ? 'verified' : `consistent; ${reason}`}${count}`
  const verdict = fault === null ? `${file}: ${holds}` : `${file}: FAULT, ${fault.kind}${place}`
  const stated = exceptions.map((sentence) => `EXCEPTION: ${sentence}`)
  const lines = [...(fault ? [fault.message] : []), ...stated, ...established, ...remarks]
  return [verdict, ...lines.map((line) => `  ${line}`)].join('\n')
}

export function findingsAsJson(findings: readonly Finding[], isSignerKnown: boolean): string {
  const results = findings.map(({ facts, ...finding }) => ({ ...finding, ...facts }))
  return JSON.stringify({ verdict: verdictOf(findings, isSignerKnown), results })
}

export const formatCount = (count: number, what: string, plural = `${what}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? what : plural}`
