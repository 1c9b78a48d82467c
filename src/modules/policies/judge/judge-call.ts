import type { Entitlements } from '../../keys/index.js'
import type { CompiledPolicy } from '../compiled-policy.js'
import type { ExpressionFacts } from '../kinds/expression-facts.js'
import type { CallSize, ToolNames } from '../kinds/judge.js'
import type { CheckResults } from './check-results.js'

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
  declaredMaxOutputTokens: number | null
  tools: ToolNames
  /** The tool of an MCP server that is called, with its arguments by name; null for calls of models. */
  tool: { name: string; arguments: Readonly<Record<string, string>> } | null
  tags: Readonly<Record<string, string>>
  session: string | null
  /** False for input that came as token numbers, which cannot be read as text. */
  isReadable: boolean
  /** False for answers that are no text, such as speech. */
  isAnswerReadable: boolean
  /** A dry run: nothing goes to a provider. */
  isTrial: boolean
  now: Date
}

/** Asks a policy about everything but the texts. Policies on texts are not asked here. */
export function judgeCall(policy: CompiledPolicy, call: JudgedCall, results: CheckResults): void {
  try {
    const objection = objectionOf(policy, call)
    if (objection === undefined) return
    if (objection === null) results.recordPass(policy)
    else results.recordViolation(policy, objection)
  } catch {
    results.recordError(policy)
  }
}

/** In words; null for none, undefined for a policy on texts. */
function objectionOf({ judge }: CompiledPolicy, call: JudgedCall): string | null | undefined {
  switch (judge.subject) {
    case 'model':
      return judge.forbids(call.modelNames) ? `the model ${call.modelNames[0]} may not be used` : null
    case 'size':
      return judge.excessOf(call)
    case 'tools':
      return judge.objectionTo(call.tools)
    case 'call':
      return judge.violates(toFacts(call)) ? 'its expression is true for this call' : null
    default:
      return undefined
  }
}

/** Asks about the tools that an answer calls. */
export function judgeCalledTools(policy: CompiledPolicy, tools: ToolNames, results: CheckResults): void {
  if (policy.judge.subject !== 'tools') return
  try {
    const objection = policy.judge.objectionTo(tools)
    if (objection === null) results.recordPass(policy)
    else results.recordViolation(policy, objection)
  } catch {
    results.recordError(policy)
  }
}

function toFacts(call: JudgedCall): ExpressionFacts {
  const { caller, model, provider, dialect, stream, inputTokens, messages, tools, now } = call
  const { key, user, team } = caller
  const maxOutputTokens = call.declaredMaxOutputTokens ?? 0
  // An expression may be about tools: without all of them, it could not decide.
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
