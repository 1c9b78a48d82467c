import type { ApiError } from '../../../errors.js'
import { type Selection, sortPolicies } from '../compile-set.js'
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
 * Services outside of this process come last: they see what would be sent, and nothing of what is refused anyway.
 */
export async function judgeRequest(
  { all, input }: Selection,
  call: JudgedCall,
  source: TextSource,
  { takeTurn, ask }: JudgeParts,
): Promise<RequestRuling> {
  const pace = new Pace(takeTurn)
  const sheet = new CheckSheet(all)
  const redactions = new Redactions()
  const judging: Judging = { sheet, redactions, pace }
  for (const policy of all) {
    if (policy.judge.looksAt === 'nothing') sheet.failed(policy)
    else if (policy.phase !== 'output') judgeCall(policy, call, sheet)
    if (pace.isDue()) await pace.rest()
  }
  const { finding, services } = sortPolicies(input)
  let changes: RequestRuling['changes'] = unchanged
  if (!call.isReadable) {
    for (const policy of [...finding, ...services]) sheet.failed(policy)
  } else if (finding.length + services.length > 0) {
    const reading = readTexts(source, pace)
    const texts = Array.isArray(reading) ? reading : await reading
    const looking = judgeTexts(input, texts, judging)
    changes = applyAll(looking instanceof Promise ? await looking : looking, texts)
    if (services.length > 0 && sheet.refusal() === null)
      await askServices(
        services,
        { call, phase: 'input', texts: changed(texts, changes), final: true },
        { ask, sheet },
      )
  }
  return { sheet, redactions, pace, changes, refusal: sheet.refusal() }
}

const unchanged: RequestRuling['changes'] = new Map()

function applyAll(edits: TextEdits, texts: readonly JudgedText[]): RequestRuling['changes'] {
  if (edits.size === 0) return unchanged
  return new Map(Array.from(edits, ([number, each]) => [number, applyEdits(texts[number]?.text ?? '', each)]))
}

const changed = (texts: readonly JudgedText[], changes: ReadonlyMap<number, string>): string[] =>
  texts.map(({ text }, number) => changes.get(number) ?? text)
