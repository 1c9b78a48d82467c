import type { ApiError } from '../../shared/errors.js'
import type { ToolNames } from '../kinds/judge.js'
import { type AnswerOptions, isEcho } from './answer-options.js'
import { applyEdits, combineEdits } from './edit/edits.js'
import { judgeCalledTools } from './judge-call.js'
import { judgeTexts, readTexts, type TextEdits, type TextFinding, type TextSource } from './judge-texts.js'
import { isId, type JudgedText } from './judged-text.js'
import { askServices } from './services/ask-services.js'
import { StreamJudge } from './stream-judge.js'

/** The decision of the policies on a whole answer. */
export interface AnswerVerdict {
  refusal: ApiError | null
  /** By the index of a text, the text that the caller must get instead. */
  changes: ReadonlyMap<number, string>
  /** The same without restored values, for stored answers. */
  removed: ReadonlyMap<number, string>
  /** If true, other members that repeat the text must be left out too. */
  redacted: boolean
  /** Filled in policy trials. */
  findings: readonly TextFinding[]
}

/** Judges the answer to a request that was allowed, and restores what was redacted from the request. */
export class AnswerJudge {
  readonly #options: AnswerOptions

  constructor(options: AnswerOptions) {
    this.#options = options
  }

  /** Judges a whole answer. `toolsCalled` returns the names of the tools that it calls. */
  async judgeWhole(source: TextSource, toolsCalled: () => Promise<ToolNames>): Promise<AnswerVerdict> {
    const { policies, verdict } = this.#options
    const { results, timer } = verdict
    timer.restart()
    if (policies.all.some(({ judge }) => judge.subject === 'tools')) {
      const tools = await toolsCalled()
      for (const policy of policies.all) judgeCalledTools(policy, tools, results)
    }
    const texts = await readTexts(source, (text) => isEcho(text, this.#options), timer)
    const removals = await judgeTexts(policies, texts, verdict)
    await this.#askServices(texts, removals)
    return this.#toVerdict(texts, removals)
  }

  async #askServices(texts: readonly JudgedText[], removals: TextEdits): Promise<void> {
    const { policies, call, verdict, dependencies } = this.#options
    const { servicePolicies } = policies
    if (servicePolicies.length === 0 || verdict.results.refusal() !== null) return
    const redacted = texts.flatMap((text, number) =>
      text.isEcho || isId(text) ? [] : [applyEdits(text.text, removals.get(number) ?? [])],
    )
    const question = { call, phase: 'output' as const, texts: redacted, final: true }
    await askServices(servicePolicies, question, { ask: dependencies.ask, results: verdict.results })
  }

  #toVerdict(texts: readonly JudgedText[], removals: TextEdits): AnswerVerdict {
    const { results, redactions, findings = [] } = this.#options.verdict
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
