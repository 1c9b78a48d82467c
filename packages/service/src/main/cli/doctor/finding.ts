export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'failed'
  message: string
  /** What to do about it. */
  advice?: string
}

export function createFindings(check: string) {
  return {
    ok: (message: string): Finding => ({ check, state: 'ok', message }),
    warning: (message: string, advice: string): Finding => ({ check, state: 'warning', message, advice }),
    failed: (message: string, advice: string): Finding => ({ check, state: 'failed', message, advice }),
  }
}

/** The worst state of all findings. */
export const overallState = (findings: readonly Finding[]): Finding['state'] =>
  (['failed', 'warning'] as const).find((state) => findings.some((each) => each.state === state)) ?? 'ok'

export function describeFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  return findings
    .flatMap(({ check, state, message, advice }) => [
      `${state.padEnd(7)}  ${check.padEnd(width)}  ${message}`,
      ...(advice === undefined ? [] : [`${' '.repeat(width + 11)}${advice}`]),
    ])
    .join('\n')
}
