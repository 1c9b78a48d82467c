import { type KindName, kinds } from './kinds/index.js'
import type { Judge } from './kinds/judge.js'
import type { Action, Phase } from './kinds/kind.js'
import { createReceiptChecks, type ReceiptChecks } from './receipt-checks.js'
import type { Policy } from './schema.js'

/** A policy that is ready to judge. */
export interface CompiledPolicy {
  id: string
  version: number
  name: string
  kind: KindName
  phase: Phase
  action: Action
  /** As a receipt names it. */
  reference: string
  receiptChecks: ReceiptChecks
  /** Compiled on first use: a set full of patterns takes a while, and the calls of other tenants wait meanwhile. */
  readonly judge: Judge | { subject: 'none' }
}

export function compilePolicy(
  policy: Pick<Policy, 'id' | 'version' | 'name' | 'kind' | 'phase' | 'action' | 'config'>,
  reference: string,
): CompiledPolicy {
  const { id, version, name, kind, phase, action, config } = policy
  let judge: CompiledPolicy['judge'] | undefined
  return {
    id,
    version,
    name,
    kind,
    phase,
    action,
    reference,
    receiptChecks: createReceiptChecks({ kind, reference, action }),
    get judge() {
      judge ??= compileJudge(kind, config)
      return judge
    },
  }
}

/** A policy that cannot be compiled fails on every call: if it were left out, calls would go ungoverned. */
function compileJudge(kind: KindName, config: unknown): CompiledPolicy['judge'] {
  try {
    return kinds[kind].compile(config)
  } catch {
    return { subject: 'none' }
  }
}
