import type { FaultKind } from '../fault.js'

/** The result of a check, for people and for scripts. */
export interface Finding {
  file: string
  kind: 'export' | 'receipt' | 'proof' | 'consistency' | 'attestation' | 'costs'
  /** Null when there is no fault. `seq` is null when the fault is not in a single entry. */
  fault: {
    kind: FaultKind | 'malformed_proof' | 'mismatch' | 'wrong_cost'
    seq: number | null
    message: string
  } | null
  /** Why the files are not verified although no fault was found: something is missing that the verification needs. */
  unproved?: string
  /** What is missing, deleted or in doubt according to the record itself, one sentence each. */
  exceptions?: string[]
  /** What the check showed, one sentence each. */
  established: string[]
  /** What the check could not show, and what to do about it. */
  remarks: string[]
  /** Counts, keys and sizes for scripts. */
  facts: Record<string, string | number | string[] | number[] | null>
}

export const exitCodes = { verified: 0, fault: 1, consistent: 2, unusable: 2 } as const

/**
 * `consistent` means that there is no fault, but that something is not proved. For example, the keys may be those that the file itself
 * lists, and a forger could seal a record with a key of their own and list it.
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
