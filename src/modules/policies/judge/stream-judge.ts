import { createHash, type Hash } from 'node:crypto'
import type { ApiError } from '../../../errors.js'
import type { ToolNames } from '../kinds/judge.js'
import { noPolicies } from '../policy-group.js'
import { type AnswerOptions, isEcho } from './answer-options.js'
import { askServices } from './ask-services.js'
import { Channel } from './channel.js'
import { judgeCalledTools } from './judge-call.js'
import { isId, type JudgedText } from './judged-text.js'
import { trimPayload } from './payload.js'

/** More than any model keeps open at a time. */
const maxParts = 4_096

/** Whole texts whose judgement is remembered: vendors repeat them up to four times, and ids in every event. */
const maxWholeTexts = 32

/** A tenant's own service is asked about this many times the hold-back at once: every question costs a round trip. */
const holdBacksPerQuestion = 4

/** One of the texts of the answer. */
interface AnswerPart {
  channel: Channel
  /** How far services have been asked about it. */
  asked: number
  /** Of the text so far, if there are services. */
  digest: Hash | null
  /** Characters that the caller has not seen. */
  unreleasedChars: number
  /** It went on after the stream had said that it was complete. That is not believed again. */
  isReopened: boolean
}

/** A piece of a text, and where it stands in it. */
export interface TextSpan {
  part: AnswerPart
  from: number
  to: number
  /** It is a text by itself. */
  isWhole: boolean
}

/** Judges an answer while it is streamed. */
export class StreamJudge {
  readonly #options: AnswerOptions
  /** By name. */
  readonly #parts = new Map<string, AnswerPart>()
  /** Without a name, by what they say. */
  readonly #wholeTexts = new Map<string, AnswerPart>()
  #unjudgedWholeTexts: AnswerPart[] = []
  #isDue = false
  #unreleasedChars = 0
  /** Digests of texts that services were asked about, piece by piece. */
  readonly #askedTexts = new Set<string>()
  readonly #servicesHoldBack: boolean
  /** Whether text is kept from the caller until it is judged. Then what spells it out must be kept from the caller too. */
  readonly holdsBack: boolean

  constructor(options: AnswerOptions) {
    const { policies, ruling } = options
    this.#options = options
    this.#servicesHoldBack = policies.servicePolicies.some(({ action }) => action !== 'flag')
    this.holdsBack = this.#servicesHoldBack || policies.textPolicies.some(({ action }) => action !== 'flag')
    ruling.redactions.boundFromHere()
    // An empty stream has been judged too.
    for (const policy of policies.all) ruling.results.recordPass(policy)
  }

  judgeTools(tools: ToolNames): void {
    const { policies, ruling } = this.#options
    if (tools.isReadable && tools.names.length + tools.aliases.length === 0) return
    for (const policy of policies.all) judgeCalledTools(policy, tools, ruling.results)
    this.#isDue = true
  }

  /** An event cannot be read, so no policy can have judged it. */
  failUnreadable(): void {
    const { policies, ruling } = this.#options
    for (const policy of policies.all)
      ruling.results.recordUnreadable(policy, 'the answer of the provider cannot be read')
    this.#isDue = true
  }

  /** Adds a piece to the text of that name. Without a name, it is a text by itself. */
  append(name: string | null, given: JudgedText): TextSpan {
    const trimmed = trimPayload(given)
    if (trimmed !== given && trimmed.sort === 'fixed') return this.#append(null, trimmed)
    const isRepeated = isEcho(given, this.#options)
    return this.#append(name, given.isEcho === isRepeated ? given : { ...given, isEcho: isRepeated })
  }

  #append(name: string | null, text: JudgedText): TextSpan {
    const part = name === null ? this.#wholeText(text) : this.#part(name, text)
    const { channel } = part
    if (name !== null && channel.hasEnded) part.isReopened = true
    const isRepeated = name === null && channel.length > 0
    const from = isRepeated ? 0 : channel.length
    if (!isRepeated) channel.append(text.text)
    if (name === null) channel.end()
    else part.digest?.update(text.text)
    if (channel.isDue()) this.#isDue = true
    const to = channel.length
    part.unreleasedChars += to - from
    this.#unreleasedChars += to - from
    return { part, from, to, isWhole: name === null }
  }

  /** Whether the caller may see it. */
  isCleared({ part, to }: TextSpan): boolean {
    return part.channel.cleared >= to && (!this.#servicesHoldBack || part.asked >= to)
  }

  /** As the caller may see it; null if that is as it came. */
  read({ part, from, to }: TextSpan): string | null {
    return part.channel.read(from, to)
  }

  /** The same without what was put back for the caller. */
  readRemoved({ part, from, to }: TextSpan): string | null {
    return part.channel.readRemoved(from, to)
  }

  /** Whether the caller may see more than is forwarded and answered: what was redacted from the request is put back. */
  get restores(): boolean {
    return this.#options.ruling.redactions.canRestore
  }

  /** The caller has seen it. */
  release({ part, from, to, isWhole }: TextSpan): void {
    part.unreleasedChars -= to - from
    this.#unreleasedChars -= to - from
    if (!isWhole) part.channel.trim(to)
  }

  /** Characters that the caller has not seen. */
  get unreleasedChars(): number {
    return this.#unreleasedChars
  }

  /** Those of them that are in other texts than this. */
  unreleasedCharsBeside(part: TextSpan['part']): number {
    return this.#unreleasedChars - part.unreleasedChars
  }

  /** Decides on a text although more of it may come. */
  async judgeAsIfEnded({ part }: TextSpan): Promise<void> {
    await part.channel.judge(true)
    if (this.#hasServices) await this.#askServices(part, true)
  }

  /** Nothing more will come for the texts whose names have this prefix. */
  end(prefix: string): void {
    for (const [name, part] of this.#parts) {
      const isBelieved = prefix === '' || !part.isReopened
      if (!isBelieved || !name.startsWith(prefix)) continue
      const { channel } = part
      channel.end()
      if (channel.cleared < channel.length || this.#hasServices) this.#isDue = true
      // Of those beyond, a repetition is asked about once more.
      if (part.digest && this.#askedTexts.size < maxParts)
        this.#askedTexts.add(part.digest.copy().digest('base64'))
    }
  }

  /** Whether something can be judged that could not be judged before. */
  get isDue(): boolean {
    return this.#isDue
  }

  /** Judges what can be judged by now. Without a promise if nothing is found and no service is asked; see `Channel.judge`. */
  judge(): Promise<void> | undefined {
    this.#isDue = false
    this.#options.ruling.timer.restart()
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
    const judging = part.channel.judge()
    if (!this.#hasServices) return judging
    return (judging ?? Promise.resolve()).then(() => this.#askServices(part))
  }

  /** The error that must end the stream. */
  refusal(): ApiError | null {
    return this.#options.ruling.results.refusal()
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
    const name = `${text.isEcho ? 'echo' : 'answer'} ${text.json} ${text.sort} ${text.text}`
    const known = this.#wholeTexts.get(name)
    if (known) return known
    const part = this.#createPart(text, null)
    const digest = this.#hasServices ? createHash('sha256').update(text.text).digest('base64') : ''
    // What was streamed in pieces is often repeated as a whole: no service is asked twice.
    // Ids come by the dozen: a question for each would take longer than the answer.
    const isAsked = text.isEcho || isId(text) || this.#askedTexts.has(digest)
    if (isAsked) part.asked = Number.POSITIVE_INFINITY
    const [oldest] = this.#wholeTexts.keys()
    if (oldest !== undefined && this.#wholeTexts.size >= maxWholeTexts) this.#wholeTexts.delete(oldest)
    this.#wholeTexts.set(name, part)
    this.#unjudgedWholeTexts.push(part)
    return part
  }

  #createPart(text: JudgedText, digest: Hash | null): AnswerPart {
    const channel = this.#createChannel(text)
    return { channel, asked: 0, digest, unreleasedChars: 0, isReopened: false }
  }

  #createChannel({ json, isEcho = false, sort = 'text' }: JudgedText): Channel {
    const { ruling, holdBackChars } = this.#options
    const policies = isEcho ? noPolicies : this.#options.policies
    const holdsBack = policies.textPolicies.some(({ action }) => action !== 'flag')
    return new Channel({ policies, context: ruling, json, sort, holdBackChars, holdsBack })
  }

  /** About what the policies of this process have let pass so far. */
  async #askServices(part: AnswerPart, asIfEnded = false): Promise<void> {
    const { policies, call, parts, ruling, holdBackChars } = this.#options
    const { channel, asked } = part
    const until = channel.cleared
    const isFinal = asIfEnded || channel.hasEnded
    if (until - asked < (isFinal ? 1 : holdBacksPerQuestion * holdBackChars)) return
    const texts = [channel.readRedacted(asked, until)]
    const question = { call, phase: 'output' as const, texts, final: isFinal }
    await askServices(policies.servicePolicies, question, { ask: parts.ask, results: ruling.results })
    ruling.timer.restart()
    part.asked = until
  }
}
