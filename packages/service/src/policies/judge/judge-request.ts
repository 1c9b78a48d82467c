import type { ApiError } from '../../shared/errors.js'
import type { Selection } from '../sets/compile-set.js'
import type { CompiledPolicy } from '../sets/compiled-policy.js'
import type { PolicyGroup } from '../sets/policy-group.js'
import { CheckResults } from './check-results.js'
import { applyEdits } from './edit/edits.js'
import { Redactions } from './edit/redactions.js'
import { type JudgedCall, judgeCall } from './judge-call.js'
import { type JudgeContext, judgeTexts, readTexts, type TextEdits, type TextSource } from './judge-texts.js'
import { isId, isNameOfModel, type JudgedText } from './judged-text.js'
import { type AskService, askServices } from './services/ask-services.js'
import { WorkTimer } from './work-timer.js'

/** The decision of the policies on a request. */
export interface RequestVerdict extends JudgeContext {
  refusal: ApiError | null
  /** By the index of a text, the text that must be sent instead. */
  changes: ReadonlyMap<number, string>
}

export interface JudgeDependencies {
  yieldToEventLoop(): Promise<void>
  ask: AskService
}

/**
 * Asks every policy that applies to requests, also after one has blocked, because the receipt lists the result of each. Services outside
 * of this process are asked last: they see the redacted text, and nothing of a request that is refused anyway.
 */
export async function judgeRequest(
  selection: Selection,
  call: JudgedCall,
  source: TextSource,
  dependencies: JudgeDependencies,
): Promise<RequestVerdict> {
  const { all, input, output } = selection
  const timer = new WorkTimer(dependencies.yieldToEventLoop)
  const results = new CheckResults(all)
  const redactions = new Redactions()
  const findings = call.isTrial ? [] : undefined
  const context: JudgeContext = { results, redactions, timer, findings }
  await judgeCallProperties(all, call, context)
  // This is checked before the call, so that nobody pays for an answer that must be withheld.
  if (!call.isAnswerReadable)
    for (const policy of [...output.textPolicies, ...output.servicePolicies])
      results.recordUnreadable(policy, 'its answer is a recording, which cannot be read')
  const changes = await judgeInput(input, call, source, context, dependencies)
  // With a spread of `context`, a request and its answer of 1 KiB took 32 µs instead of 25 with five policies.
  return { results, redactions, timer, findings, changes, refusal: results.refusal() }
}

/** Asks the policies about everything but the texts. */
async function judgeCallProperties(
  policies: readonly CompiledPolicy[],
  call: JudgedCall,
  { results, timer }: JudgeContext,
): Promise<void> {
  for (const policy of policies) {
    if (policy.judge.subject === 'none') results.recordError(policy)
    else if (policy.phase !== 'output') judgeCall(policy, call, results)
    if (timer.shouldYield()) await timer.yieldToOthers()
  }
}

/** Asks the policies about the texts. */
async function judgeInput(
  policies: PolicyGroup,
  call: JudgedCall,
  source: TextSource,
  context: JudgeContext,
  { ask }: JudgeDependencies,
): Promise<RequestVerdict['changes']> {
  const { results, timer } = context
  const { textPolicies, servicePolicies } = policies
  if (!call.isReadable) {
    for (const policy of [...textPolicies, ...servicePolicies])
      results.recordUnreadable(policy, 'its input is numbers of tokens, which cannot be read')
    return unchanged
  }
  if (textPolicies.length + servicePolicies.length === 0) return unchanged
  const texts = await readTexts(source, (text) => isNameOfModel(text, call.modelNames), timer)
  const changes = applyAll(await judgeTexts(policies, texts, context), texts)
  if (servicePolicies.length === 0 || results.refusal() !== null) return changes
  const question = { call, phase: 'input' as const, texts: changed(texts, changes), final: true }
  await askServices(servicePolicies, question, { ask, results })
  return changes
}

// Bounded: stays empty.
const unchanged: RequestVerdict['changes'] = new Map()

function applyAll(edits: TextEdits, texts: readonly JudgedText[]): RequestVerdict['changes'] {
  if (edits.size === 0) return unchanged
  return new Map(Array.from(edits, ([number, each]) => [number, applyEdits(texts[number]?.text ?? '', each)]))
}

const changed = (texts: readonly JudgedText[], changes: ReadonlyMap<number, string>): string[] =>
  texts.flatMap((text, number) => (text.isEcho || isId(text) ? [] : [changes.get(number) ?? text.text]))
