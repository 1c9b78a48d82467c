import type { ApiError } from '../../../errors.js'
import { sortPolicies } from '../compile-set.js'
import type { AnswerOptions } from './answer-options.js'
import { askServices } from './ask-services.js'
import { judgeToolNames } from './judge-call.js'
import { judgeTexts, readTexts, type TextEdits, type TextSource } from './judge-texts.js'
import { applyEdits, combineEdits } from './redactions.js'
import type { JudgedText } from './scan.js'
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

  /** `toolsCalled`: names of the tools in it. */
  async judgeWhole(source: TextSource, toolsCalled: () => readonly string[]): Promise<AnswerRuling> {
    const { policies, ruling } = this.#options
    const { sheet, pace } = ruling
    pace.begin()
    if (policies.some(({ judge }) => judge.looksAt === 'tools')) {
      const names = toolsCalled()
      for (const policy of policies) judgeToolNames(policy, names, sheet)
    }
    const texts = await readTexts(source, pace)
    const removals = await judgeTexts(policies, texts, ruling)
    await this.#askServices(texts, removals)
    return this.#rule(texts, removals)
  }

  async #askServices(texts: readonly JudgedText[], removals: TextEdits): Promise<void> {
    const { policies, call, ruling, parts } = this.#options
    const { services } = sortPolicies(policies)
    if (services.length === 0 || ruling.sheet.refusal() !== null) return
    const said = texts.flatMap((text, number) =>
      text.isEcho ? [] : [applyEdits(text.text, removals.get(number) ?? [])],
    )
    const question = { call, phase: 'output' as const, texts: said, final: true }
    await askServices(services, question, { ask: parts.ask, sheet: ruling.sheet })
  }

  #rule(texts: readonly JudgedText[], removals: TextEdits): AnswerRuling {
    const { sheet, redactions } = this.#options.ruling
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
