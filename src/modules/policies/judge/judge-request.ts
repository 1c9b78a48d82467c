import type { ApiError } from '../../../errors.js'
import { type CompiledPolicy, type Selection, sortPolicies } from '../compile-set.js'
import { andThen } from './and-then.js'
import { type AskService, askServices } from './ask-services.js'
import { CheckSheet } from './check-sheet.js'
import { type JudgedCall, judgeCall } from './judge-call.js'
import { type Judging, judgeTexts, readTexts, type TextEdits, type TextSource } from './judge-texts.js'
import { Pace } from './pace.js'
import { applyEdits, Redactions } from './redactions.js'
import type { JudgedText } from './scan.js'

/** What policies said of a request. */
export interface RequestRuling extends Judging {
  refusal: ApiError | null
  /** By the number of the text: what it must say instead. */
  changes: ReadonlyMap<number, string>
}

export interface JudgeParts {
  takeTurn(): Promise<void>
  ask: AskService
}

/**
 * Asks every policy that looks at requests; all of them, also when one blocks, for the receipt tells what each said.
 * Services outside of this process come last: they see what would be sent, and nothing of what is refused anyway. No
 * promise where nothing has to be waited for.
 */
export function judgeRequest(
  selection: Selection,
  call: JudgedCall,
  source: TextSource,
  parts: JudgeParts,
): RequestRuling | Promise<RequestRuling> {
  const { all, input } = selection
  const pace = new Pace(parts.takeTurn)
  const sheet = new CheckSheet(all)
  const redactions = new Redactions()
  const judging: Judging = { sheet, redactions, pace }
  return andThen(judgeCalls(all.values(), call, judging), () =>
    andThen(judgeInput(input, call, source, judging, parts), (changes) => {
      return { sheet, redactions, pace, changes, refusal: sheet.refusal() }
    }),
  )
}

/** Asks about the call as a whole. */
function judgeCalls(
  policies: Iterator<CompiledPolicy>,
  call: JudgedCall,
  judging: Judging,
): Promise<void> | undefined {
  const { sheet, pace } = judging
  for (let next = policies.next(); !next.done; next = policies.next()) {
    const { value: policy } = next
    if (policy.judge.looksAt === 'nothing') sheet.failed(policy)
    else if (policy.phase !== 'output') judgeCall(policy, call, sheet)
    if (pace.isDue()) return pace.rest().then(() => judgeCalls(policies, call, judging))
  }
  return undefined
}

/** Asks about the texts. */
function judgeInput(
  policies: readonly CompiledPolicy[],
  call: JudgedCall,
  source: TextSource,
  judging: Judging,
  { ask }: JudgeParts,
): RequestRuling['changes'] | Promise<RequestRuling['changes']> {
  const { sheet, pace } = judging
  const { finding, services } = sortPolicies(policies)
  if (!call.isReadable) {
    for (const policy of [...finding, ...services]) sheet.failed(policy)
    return unchanged
  }
  if (finding.length + services.length === 0) return unchanged
  return andThen(readTexts(source, pace), (texts) =>
    andThen(judgeTexts(policies, texts, judging), (edits) => {
      const changes = applyAll(edits, texts)
      if (services.length === 0 || sheet.refusal() !== null) return changes
      const question = { call, phase: 'input' as const, texts: changed(texts, changes), final: true }
      return askServices(services, question, { ask, sheet }).then(() => changes)
    }),
  )
}

const unchanged: RequestRuling['changes'] = new Map()

function applyAll(edits: TextEdits, texts: readonly JudgedText[]): RequestRuling['changes'] {
  if (edits.size === 0) return unchanged
  return new Map(Array.from(edits, ([number, each]) => [number, applyEdits(texts[number]?.text ?? '', each)]))
}

const changed = (texts: readonly JudgedText[], changes: ReadonlyMap<number, string>): string[] =>
  texts.map(({ text }, number) => changes.get(number) ?? text)
