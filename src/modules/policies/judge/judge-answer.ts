import type { ApiError } from '../../../errors.js'
import type { ToolNames } from '../kinds/judge.js'
import { type AnswerOptions, isEcho } from './answer-options.js'
import { askServices } from './ask-services.js'
import { applyEdits, combineEdits } from './edits.js'
import { judgeCalledTools } from './judge-call.js'
import { judgeTexts, readTexts, type TextEdits, type TextFinding, type TextSource } from './judge-texts.js'
import { isId, type JudgedText } from './judged-text.js'
import { StreamJudge } from './stream-judge.js'

/** What policies decided on a whole answer. */
export interface AnswerRuling {
  refusal: ApiError | null
  /** By the number of a text, what the caller must see instead. */
  changes: ReadonlyMap<number, string>
  /** The same without what is put back for the caller: for those who keep answers. */
  removed: ReadonlyMap<number, string>
  /** If something was, what spells the text out once more must be left out too. */
  redacted: boolean
  /** Of a dry run. */
  findings: readonly TextFinding[]
}

/** Judges the answer to a request that was let through, and restores what was redacted from the request. */
export class AnswerJudge {
  readonly #options: AnswerOptions

  constructor(options: AnswerOptions) {
    this.#options = options
  }

  /** `toolsCalled`: names of the tools in it. */
  async judgeWhole(source: TextSource, toolsCalled: () => Promise<ToolNames>): Promise<AnswerRuling> {
    const { policies, ruling } = this.#options
    const { results, timer } = ruling
    timer.restart()
    if (policies.all.some(({ judge }) => judge.subject === 'tools')) {
      const tools = await toolsCalled()
      for (const policy of policies.all) judgeCalledTools(policy, tools, results)
    }
    const texts = await readTexts(source, (text) => isEcho(text, this.#options), timer)
    const removals = await judgeTexts(policies, texts, ruling)
    await this.#askServices(texts, removals)
    return this.#toRuling(texts, removals)
  }

  async #askServices(texts: readonly JudgedText[], removals: TextEdits): Promise<void> {
    const { policies, call, ruling, parts } = this.#options
    const { servicePolicies } = policies
    if (servicePolicies.length === 0 || ruling.results.refusal() !== null) return
    const redacted = texts.flatMap((text, number) =>
      text.isEcho || isId(text) ? [] : [applyEdits(text.text, removals.get(number) ?? [])],
    )
    const question = { call, phase: 'output' as const, texts: redacted, final: true }
    await askServices(servicePolicies, question, { ask: parts.ask, results: ruling.results })
  }

  #toRuling(texts: readonly JudgedText[], removals: TextEdits): AnswerRuling {
    const { results, redactions, findings = [] } = this.#options.ruling
    const changes = new Map<number, string>()
    const removed = redactions.canRestore ? new Map<number, string>() : changes
    if (removals.size > 0 || redactions.canRestore) {
      for (const [number, text] of texts.entries()) {
        const found = removals.get(number) ?? []
        const edits = combineEdits(found, redactions.restore(text))
        if (edits.length > 0) changes.set(number, applyEdits(text.text, edits))
        if (removed !== changes && found.length > 0) removed.set(number, applyEdits(text.text, found))
      }
    }
    return { refusal: results.refusal(), changes, removed, redacted: removals.size > 0, findings }
  }

  openStream(): StreamJudge {
    return new StreamJudge(this.#options)
  }
}
