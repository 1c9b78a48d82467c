import type { Entitlements } from '../../keys/index.js'
import type { CompiledPolicy } from '../compile-set.js'
import type { ExpressionFacts } from '../kinds/expression-facts.js'
import type { CallSize } from '../kinds/judge.js'
import type { CheckSheet } from './check-sheet.js'

/** What policies can know of a call. */
export interface JudgedCall extends CallSize {
  id: string
  caller: Entitlements
  /** Every name that the model goes by. */
  modelNames: readonly string[]
  /** The provider's own name of it. */
  model: string
  provider: string
  dialect: string
  stream: boolean
  /** As the request declares it. */
  maxOutputTokens: number | null
  tools: readonly string[]
  /** False for input that came as token numbers: nobody can tell what it says. */
  isReadable: boolean
  /** A dry run: nothing goes to a provider. */
  isTrial: boolean
  now: Date
}

/** Asks a policy that judges the call as a whole. Others have nothing to say here. */
export function judgeCall(policy: CompiledPolicy, call: JudgedCall, sheet: CheckSheet): void {
  try {
    const objection = objectionOf(policy, call)
    if (objection === undefined) return
    if (objection === null) sheet.pass(policy)
    else sheet.violated(policy, objection)
  } catch {
    sheet.failed(policy)
  }
}

/** In words; null for none, undefined from a policy that looks at something else. */
function objectionOf({ judge }: CompiledPolicy, call: JudgedCall): string | null | undefined {
  switch (judge.looksAt) {
    case 'model':
      return judge.forbids(call.modelNames) ? `the model ${call.modelNames[0]} may not be used` : null
    case 'size':
      return judge.excessOf(call)
    case 'tools':
      return objectToTools(judge.forbids, call.tools)
    case 'call':
      return judge.violates(toFacts(call)) ? 'its expression is true for this call' : null
    default:
      return undefined
  }
}

/** Asks about the tools that an answer calls. */
export function judgeToolNames(policy: CompiledPolicy, names: readonly string[], sheet: CheckSheet): void {
  if (policy.judge.looksAt !== 'tools') return
  try {
    const objection = objectToTools(policy.judge.forbids, names)
    if (objection === null) sheet.pass(policy)
    else sheet.violated(policy, objection)
  } catch {
    sheet.failed(policy)
  }
}

/** Far more than any vendor takes. */
const mostTools = 1_024

function objectToTools(forbids: (name: string) => boolean, names: readonly string[]): string | null {
  if (names.length > mostTools) throw new Error('there are too many tools to be judged')
  const forbidden = names.find(forbids)
  return forbidden === undefined ? null : `the tool ${forbidden} may not be used`
}

function toFacts(call: JudgedCall): ExpressionFacts {
  const { caller, model, provider, dialect, stream, inputTokens, messages, tools, now } = call
  const { key, user, team } = caller
  const maxOutputTokens = call.maxOutputTokens ?? 0
  return {
    request: { model, provider, dialect, stream, inputTokens, maxOutputTokens, messages, tools },
    key: { id: key.id, name: key.name, role: key.role, metadata: key.metadata },
    user: {
      id: user?.id ?? '',
      name: user?.name ?? '',
      email: user?.email ?? '',
      role: user?.role ?? '',
    },
    team: { id: team?.id ?? '', name: team?.name ?? '' },
    now,
  }
}
