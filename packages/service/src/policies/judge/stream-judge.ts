import { createHash, type Hash } from 'node:crypto'
import type { ApiError } from '../../shared/errors.js'
import type { ToolNames } from '../kinds/judge.js'
import { noPolicies } from '../sets/policy-group.js'
import { type AnswerOptions, isEcho } from './answer-options.js'
import { trimPayload } from './decode/payload.js'
import { judgeCalledTools } from './judge-call.js'
import { isId, type JudgedText } from './judged-text.js'
import { askServices } from './services/ask-services.js'
import { StreamedText } from './streamed-text.js'

/** More texts than any model streams at a time. */
const maxParts = 4_096

/** How many whole texts are remembered with their result. Vendors repeat texts up to four times, and ids in every event. */
const maxWholeTexts = 32

/** A guardrail service is asked about this many times the hold-back at once, because every question costs a round trip. */
const holdBacksPerQuestion = 4

/** One text of the answer. */
interface AnswerPart {
  streamedText: StreamedText
  /** Services were asked about the text up to this position. */
  asked: number
  /** The digest of the text so far; null without services. */
  digest: Hash | null
  /** Characters that the caller has not seen. */
  unreleasedChars: number
  /** The text continued after the stream had marked it as complete. Later marks are ignored. */
  isReopened: boolean
}

/** A piece of a text, with its position in the text. */
export interface TextSpan {
  part: AnswerPart
  from: number
  to: number
  /** True when the piece is a whole text. */
  isWhole: boolean
}

/** Judges an answer while it is streamed. */
export class StreamJudge {
  readonly #options: AnswerOptions
  /** Texts that arrive in pieces, by name. */
  // Bounded: 4,096 for a stream; more are an error.
  readonly #parts = new Map<string, AnswerPart>()
  /** Texts without a name, by content. */
  // Bounded: 32 for a stream; the oldest is dropped.
  readonly #wholeTexts = new Map<string, AnswerPart>()
  #unjudgedWholeTexts: AnswerPart[] = []
  #isDue = false
  #unreleasedChars = 0
  /** The digests of texts that services were asked about piece by piece. */
  // Bounded: 4,096 digests for a stream; what repeats one beyond is asked about again.
  readonly #askedTexts = new Set<string>()
  readonly #servicesHoldBack: boolean
  /** True when text is held back until it is judged. Members that repeat the text must be held back then too. */
  readonly holdsBack: boolean

  constructor(options: AnswerOptions) {
    const { policies, verdict } = options
    this.#options = options
    this.#servicesHoldBack = policies.servicePolicies.some(({ action }) => action !== 'flag')
    this.holdsBack = this.#servicesHoldBack || policies.textPolicies.some(({ action }) => action !== 'flag')
    verdict.redactions.limitRememberedValues()
    // An empty stream has been judged too.
    for (const policy of policies.all) verdict.results.recordPass(policy)
  }

  judgeTools(tools: ToolNames): void {
    const { policies, verdict } = this.#options
    if (tools.isReadable && tools.names.length + tools.aliases.length === 0) return
    for (const policy of policies.all) judgeCalledTools(policy, tools, verdict.results)
    this.#isDue = true
  }

  /** Records that an event cannot be read, so that no policy can judge it. */
  failUnreadable(): void {
    const { policies, verdict } = this.#options
    for (const policy of policies.all)
      verdict.results.recordUnreadable(policy, 'the answer of the provider cannot be read')
    this.#isDue = true
  }

  /** Adds a piece to the text of that name. Without a name, the piece is a whole text. */
  append(name: string | null, given: JudgedText): TextSpan {
    const trimmed = trimPayload(given)
    if (trimmed !== given && trimmed.kind === 'fixed') return this.#append(null, trimmed)
    const isRepeated = isEcho(given, this.#options)
    return this.#append(name, given.isEcho === isRepeated ? given : { ...given, isEcho: isRepeated })
  }

  #append(name: string | null, text: JudgedText): TextSpan {
    const part = name === null ? this.#wholeText(text) : this.#part(name, text)
    const { streamedText } = part
    if (name !== null && streamedText.hasEnded) part.isReopened = true
    const isRepeated = name === null && streamedText.length > 0
    const from = isRepeated ? 0 : streamedText.length
    if (!isRepeated) streamedText.append(text.text)
    if (name === null) streamedText.end()
    else part.digest?.update(text.text)
    if (streamedText.isDue()) this.#isDue = true
    const to = streamedText.length
    part.unreleasedChars += to - from
    this.#unreleasedChars += to - from
    return { part, from, to, isWhole: name === null }
  }

  /** True when the caller may see the span. */
  isCleared({ part, to }: TextSpan): boolean {
    return part.streamedText.cleared >= to && (!this.#servicesHoldBack || part.asked >= to)
  }

  /** Returns a span as the caller may see it; null if it is unchanged. */
  read({ part, from, to }: TextSpan): string | null {
    return part.streamedText.read(from, to)
  }

  /** Returns a span without restored values; null if it is unchanged. */
  readRemoved({ part, from, to }: TextSpan): string | null {
    return part.streamedText.readRemoved(from, to)
  }

  /** True when values that were redacted from the request are restored for the caller. */
  get restores(): boolean {
    return this.#options.verdict.redactions.canRestore
  }

  /** Records that the span was sent to the caller. */
  release({ part, from, to, isWhole }: TextSpan): void {
    part.unreleasedChars -= to - from
    this.#unreleasedChars -= to - from
    if (!isWhole) part.streamedText.trim(to)
  }

  /** The characters that the caller has not seen. */
  get unreleasedChars(): number {
    return this.#unreleasedChars
  }

  /** Returns how many unreleased characters are in other texts than this. */
  unreleasedCharsBeside(part: TextSpan['part']): number {
    return this.#unreleasedChars - part.unreleasedChars
  }

  /** Decides on a text although more of it may come. */
  async judgeAsIfEnded({ part }: TextSpan): Promise<void> {
    await part.streamedText.judge(true)
    if (this.#hasServices) await this.#askServices(part, true)
  }

  /** Marks the texts whose names have this prefix as complete. */
  end(prefix: string): void {
    for (const [name, part] of this.#parts) {
      const isBelieved = prefix === '' || !part.isReopened
      if (!isBelieved || !name.startsWith(prefix)) continue
      const { streamedText } = part
      streamedText.end()
      if (streamedText.cleared < streamedText.length || this.#hasServices) this.#isDue = true
      // Texts beyond this bound are asked about again when they are repeated.
      if (part.digest && this.#askedTexts.size < maxParts)
        this.#askedTexts.add(part.digest.copy().digest('base64'))
    }
  }

  /** True when there is new text that can be judged. */
  get isDue(): boolean {
    return this.#isDue
  }

  /** Judges as much as possible. Returns no promise if nothing is found and no service is asked; see `StreamedText.judge`. */
  judge(): Promise<void> | undefined {
    this.#isDue = false
    this.#options.verdict.timer.restart()
    const parts = [...this.#parts.values(), ...this.#unjudgedWholeTexts]
    this.#unjudgedWholeTexts = []
    return this.#judgeAll(parts.values())
  }

  #judgeAll(parts: Iterator<AnswerPart>): Promise<void> | undefined {
    for (let next = parts.next(); !next.done; next = parts.next()) {
      const judging = this.#judgePart(next.value)
      if (judging) return judging.then(() => this.#judgeAll(parts))
    }
    return undefined
  }

  #judgePart(part: AnswerPart): Promise<void> | undefined {
    const judging = part.streamedText.judge()
    if (!this.#hasServices) return judging
    return (judging ?? Promise.resolve()).then(() => this.#askServices(part))
  }

  /** Returns the error that must end the stream; null if there is none. */
  refusal(): ApiError | null {
    return this.#options.verdict.results.refusal()
  }

  get #hasServices(): boolean {
    return this.#options.policies.servicePolicies.length > 0
  }

  #part(name: string, text: JudgedText): AnswerPart {
    const known = this.#parts.get(name)
    if (known) return known
    if (this.#parts.size >= maxParts) throw new Error('the stream has too many parts')
    const digest = this.#hasServices ? createHash('sha256') : null
    const part = this.#createPart(text, digest)
    this.#parts.set(name, part)
    return part
  }

  #wholeText(text: JudgedText): AnswerPart {
    const name = `${text.isEcho ? 'echo' : 'answer'} ${text.json} ${text.kind} ${text.text}`
    const known = this.#wholeTexts.get(name)
    if (known) return known
    const part = this.#createPart(text, null)
    const digest = this.#hasServices ? createHash('sha256').update(text.text).digest('base64') : ''
    // Texts that were streamed in pieces are often repeated as a whole, and services are not asked twice. Nor are they asked about ids, which
    // are so frequent that the questions would take longer than the answer.
    const isAsked = text.isEcho || isId(text) || this.#askedTexts.has(digest)
    if (isAsked) part.asked = Number.POSITIVE_INFINITY
    const [oldest] = this.#wholeTexts.keys()
    if (oldest !== undefined && this.#wholeTexts.size >= maxWholeTexts) this.#wholeTexts.delete(oldest)
    this.#wholeTexts.set(name, part)
    this.#unjudgedWholeTexts.push(part)
    return part
  }

  #createPart(text: JudgedText, digest: Hash | null): AnswerPart {
    const streamedText = this.#createStreamedText(text)
    return { streamedText, asked: 0, digest, unreleasedChars: 0, isReopened: false }
  }

  #createStreamedText({ json, isEcho = false, kind = 'text' }: JudgedText): StreamedText {
    const { verdict, holdBackChars } = this.#options
    const policies = isEcho ? noPolicies : this.#options.policies
    const holdsBack = policies.textPolicies.some(({ action }) => action !== 'flag')
    return new StreamedText({ policies, context: verdict, json, kind, holdBackChars, holdsBack })
  }

  /** Asks services about the text that the policies of this process have cleared. */
  async #askServices(part: AnswerPart, asIfEnded = false): Promise<void> {
    const { policies, call, dependencies, verdict, holdBackChars } = this.#options
    const { streamedText, asked } = part
    const until = streamedText.cleared
    const isFinal = asIfEnded || streamedText.hasEnded
    if (until - asked < (isFinal ? 1 : holdBacksPerQuestion * holdBackChars)) return
    const texts = [streamedText.readRedacted(asked, until)]
    const question = { call, phase: 'output' as const, texts, final: isFinal }
    await askServices(policies.servicePolicies, question, { ask: dependencies.ask, results: verdict.results })
    verdict.timer.restart()
    part.asked = until
  }
}
