import { type KindName, kinds } from '../kinds/index.js'
import type { Judge } from '../kinds/judge.js'
import type { Action, Phase } from '../kinds/kind.js'
import type { Policy } from '../schema.js'
import { createReceiptChecks, type ReceiptChecks } from './receipt-checks.js'

/** A policy that is ready to judge. */
export interface CompiledPolicy {
  id: string
  version: number
  name: string
  kind: KindName
  phase: Phase
  action: Action
  /** The id and version, as in receipts. */
  reference: string
  receiptChecks: ReceiptChecks
  /** Compiled on first use: compiling a large set of patterns takes a while, and calls of other tenants would wait for it. */
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

/** Returns the judge of a config. A policy that cannot be compiled fails on every call: leaving it out would let calls pass unchecked. */
function compileJudge(kind: KindName, config: unknown): CompiledPolicy['judge'] {
  try {
    return kinds[kind].compile(config)
  } catch {
    return { subject: 'none' }
  }
}
