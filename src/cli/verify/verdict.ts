import type { FaultKind } from '../../ledger/verify/fault.js'

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
  /** What the check showed, one sentence each. */
  established: string[]
  /** What it could not show, and what to do about it. */
  remarks: string[]
  /** For scripts: counts, keys, sizes. */
  facts: Record<string, string | number | string[] | null>
}

export const exitCodes = { verified: 0, fault: 1, unusable: 2 } as const

export function verdictOf(findings: readonly Finding[]): 'verified' | 'fault' {
  return findings.some(({ fault }) => fault !== null) ? 'fault' : 'verified'
}

export function describeFindings(findings: readonly Finding[]): string {
  return findings.map(describe).join('\n\n')
}

function describe({ file, fault, established, remarks }: Finding): string {
  const place = fault?.seq == null ? '' : ` at entry ${fault.seq}`
  const verdict = fault === null ? `${file}: verified` : `${file}: FAULT, ${fault.kind}${place}`
  const lines = [...(fault ? [fault.message] : []), ...established, ...remarks]
  return [verdict, ...lines.map((line) => `  ${line}`)].join('\n')
}

export function findingsAsJson(findings: readonly Finding[]): string {
  const results = findings.map(({ facts, ...finding }) => ({ ...finding, ...facts }))
  return JSON.stringify({ verdict: verdictOf(findings), results })
}

export const countOf = (count: number, what: string, plural = `${what}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? what : plural}`
