import type { ApiError } from '../../../errors.js'
import { sortPolicies } from '../compile-set.js'
import type { AnswerOptions } from './answer-options.js'
import { askServices } from './ask-services.js'
import { judgeToolNames } from './judge-call.js'
import { judgeTexts, readTexts, type TextSource } from './judge-texts.js'
import { applyEdits, combineEdits } from './redactions.js'
import { StreamJudge } from './stream-judge.js'

/** What policies said of a whole answer. */
export interface AnswerRuling {
  refusal: ApiError | null
  changes: ReadonlyMap<number, string>
  /** Something was taken out: whatever spells the text out once more must go too. */
  redacted: boolean
}

/** Judges the answer to a request that was let through, and gives back what was taken out of the request. */
export class AnswerJudge {
  readonly #options: AnswerOptions

  constructor(options: AnswerOptions) {
    this.#options = options
  }

  async judgeWhole(source: TextSource, tools: readonly string[]): Promise<AnswerRuling> {
    const { policies, call, ruling, parts } = this.#options
    const { sheet, redactions, pace } = ruling
    pace.begin()
    for (const policy of policies) judgeToolNames(policy, tools, sheet)
    const reading = readTexts(source, pace)
    const texts = Array.isArray(reading) ? reading : await reading
    const { services } = sortPolicies(policies)
    const looking = judgeTexts(policies, texts, ruling)
    const removals = looking instanceof Promise ? await looking : looking
    if (services.length > 0 && sheet.refusal() === null) {
      const said = texts.flatMap((text, number) =>
        text.isEcho ? [] : [applyEdits(text.text, removals.get(number) ?? [])],
      )
      const question = { call, phase: 'output' as const, texts: said, final: true }
      await askServices(services, question, { ask: parts.ask, sheet })
    }

    const changes = new Map<number, string>()
    if (removals.size > 0 || redactions.canRestore) {
      for (const [number, text] of texts.entries()) {
        const edits = combineEdits(removals.get(number) ?? [], redactions.restore(text))
        if (edits.length > 0) changes.set(number, applyEdits(text.text, edits))
      }
    }
    return { refusal: sheet.refusal(), changes, redacted: removals.size > 0 }
  }

  openStream(): StreamJudge {
    return new StreamJudge(this.#options)
  }
}
