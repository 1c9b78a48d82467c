import type { Entitlements } from '../../resources/keys/index.js'
import type { ExpressionVariables } from '../kinds/expression/expression-variables.js'
import type { CallSize, ToolNames } from '../kinds/judge.js'
import type { CompiledPolicy } from '../sets/compiled-policy.js'
import type { CheckResults } from './check-results.js'

/** The properties of a call that policies can use. */
export interface JudgedCall extends CallSize {
  id: string
  caller: Entitlements
  /** Every name of the model. */
  modelNames: readonly string[]
  /** The provider's own name of the model. */
  model: string
  provider: string
  dialect: string
  stream: boolean
  declaredMaxOutputTokens: number | null
  tools: ToolNames
  /** The MCP tool that is called, with its arguments by name; null for model calls. */
  tool: { name: string; arguments: Readonly<Record<string, string>> } | null
  tags: Readonly<Record<string, string>>
  session: string | null
  /** False for input that is a list of token numbers, which cannot be read as text. */
  isReadable: boolean
  /** False for answers that are not text, such as speech. */
  isAnswerReadable: boolean
  /** True for a policy trial, in which nothing is sent to a provider. */
  isTrial: boolean
  now: Date
}

/** Asks a policy about everything but the texts. Policies about texts are not asked here. */
export function judgeCall(policy: CompiledPolicy, call: JudgedCall, results: CheckResults): void {
  try {
    const objection = describeObjection(policy, call)
    if (objection === undefined) return
    if (objection === null) results.recordPass(policy)
    else results.recordViolation(policy, objection)
  } catch {
    results.recordError(policy)
  }
}

/** Returns the reason of a violation; null if there is none, undefined for a policy about texts. */
function describeObjection({ judge }: CompiledPolicy, call: JudgedCall): string | null | undefined {
  switch (judge.subject) {
    case 'model':
      return judge.forbids(call.modelNames) ? `the model ${call.modelNames[0]} may not be used` : null
    case 'size':
      return judge.findExcess(call)
    case 'tools':
      return judge.findObjection(call.tools)
    case 'call':
      return judge.violates(toVariables(call)) ? 'its expression is true for this call' : null
    default:
      return undefined
  }
}

/** Asks a policy about the tools that an answer calls. */
export function judgeCalledTools(policy: CompiledPolicy, tools: ToolNames, results: CheckResults): void {
  if (policy.judge.subject !== 'tools') return
  try {
    const objection = policy.judge.findObjection(tools)
    if (objection === null) results.recordPass(policy)
    else results.recordViolation(policy, objection)
  } catch {
    results.recordError(policy)
  }
}

function toVariables(call: JudgedCall): ExpressionVariables {
  const { caller, model, provider, dialect, stream, inputTokens, messages, tools, now } = call
  const { key, user, team } = caller
  const maxOutputTokens = call.declaredMaxOutputTokens ?? 0
  // An expression may use the tools, so it cannot be evaluated without all of them.
  if (!tools.isReadable) throw new Error('the tools of the request cannot be read')
  return {
    request: {
      ...{ model, provider, dialect, stream, inputTokens, maxOutputTokens, messages },
      tools: tools.names,
      tags: call.tags,
      session: call.session ?? '',
    },
    tool: { name: call.tool?.name ?? '', arguments: call.tool?.arguments ?? {} },
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
