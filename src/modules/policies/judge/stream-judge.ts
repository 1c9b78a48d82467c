import { createHash, type Hash } from 'node:crypto'
import type { ApiError } from '../../../errors.js'
import { type CompiledPolicy, sortPolicies } from '../compile-set.js'
import type { AnswerOptions } from './answer-options.js'
import { askServices } from './ask-services.js'
import { Channel } from './channel.js'
import { judgeToolNames } from './judge-call.js'
import type { JudgedText } from './scan.js'

/** More than any model keeps open at a time. */
const mostParts = 1_024

/** Whole texts of which what was said about them is kept: vendors repeat them up to four times. */
const mostWholes = 8

/** A tenant's own service is asked about so many times the hold-back at once: every question costs a round trip. */
const holdBacksPerQuestion = 4

/** A text that is being said. */
interface Part {
  channel: Channel
  /** How far services have been asked about it. */
  asked: number
  digest: Hash | null
  /** How many of its characters the caller has not seen. */
  waiting: number
}

/** A piece of a text, and where it stands in it. */
export interface Stretch {
  part: Part
  from: number
  to: number
  /** It is a text by itself. */
  isWhole: boolean
}

/** Judges an answer while it is being said. */
export class StreamJudge {
  readonly #options: AnswerOptions
  readonly #parts = new Map<string, Part>()
  readonly #wholes = new Map<string, Part>()
  /** Whole texts that came since the last judgement. */
  #fresh: Part[] = []
  #isDue = false
  #waiting = 0
  /** Digests of texts that services were asked about, piece by piece. */
  readonly #judgedTexts = new Set<string>()
  readonly #finding: readonly CompiledPolicy[]
  readonly #services: readonly CompiledPolicy[]
  readonly #servicesHold: boolean
  /** Whether text is kept from the caller until it is judged. What spells it out must be kept from it too. */
  readonly holds: boolean

  constructor(options: AnswerOptions) {
    const { policies, ruling } = options
    this.#options = options
    const { finding, services } = sortPolicies(policies)
    this.#finding = finding
    this.#services = services
    this.#servicesHold = this.#services.some(({ action }) => action !== 'flag')
    this.holds = this.#servicesHold || this.#finding.some(({ action }) => action !== 'flag')
    // A stream in which nothing is said has been judged too.
    for (const policy of policies) ruling.sheet.pass(policy)
  }

  callTools(names: readonly string[]): void {
    const { policies, ruling } = this.#options
    if (names.length === 0) return
    for (const policy of policies) judgeToolNames(policy, names, ruling.sheet)
    this.#isDue = true
  }

  /** Adds a piece to the text of that name; without one, it is a text of its own. */
  append(name: string | null, text: JudgedText): Stretch {
    const part = name === null ? this.#openWhole(text) : this.#open(name, text)
    const { channel } = part
    const isKnown = name === null && channel.length > 0
    const from = isKnown ? 0 : channel.length
    if (!isKnown) channel.append(text.text)
    if (name === null) channel.end()
    else part.digest?.update(text.text)
    if (channel.isDue()) this.#isDue = true
    const to = channel.length
    part.waiting += to - from
    this.#waiting += to - from
    return { part, from, to, isWhole: name === null }
  }

  /** Whether the caller may see it. */
  isCleared({ part, to }: Stretch): boolean {
    return part.channel.cleared >= to && (!this.#servicesHold || part.asked >= to)
  }

  /** As the caller may see it; null when that is as it came. */
  read({ part, from, to }: Stretch): string | null {
    return part.channel.read(from, to)
  }

  /** The caller has seen it. */
  release({ part, from, to, isWhole }: Stretch): void {
    part.waiting -= to - from
    this.#waiting -= to - from
    if (!isWhole) part.channel.trim(to)
  }

  /** How many characters the caller has not seen. */
  get waiting(): number {
    return this.#waiting
  }

  /** How many of them are of other texts. */
  waitingBeside({ part }: Stretch): number {
    return this.#waiting - part.waiting
  }

  /** Decides on it although more of its text may come. */
  async force({ part }: Stretch): Promise<void> {
    await part.channel.settle(true)
    if (this.#services.length > 0) await this.#askServices(part, true)
  }

  /** Ends the texts whose names begin so: nothing more will come for them. */
  end(beginning: string): void {
    for (const [name, part] of this.#parts) {
      if (!name.startsWith(beginning)) continue
      const { channel } = part
      channel.end()
      if (channel.cleared < channel.length || this.#services.length > 0) this.#isDue = true
      if (part.digest) this.#judgedTexts.add(part.digest.copy().digest('base64'))
    }
  }

  /** Whether something can be judged that could not be before. */
  get isDue(): boolean {
    return this.#isDue
  }

  /** Judges what can be judged by now. No promise where nothing has to be waited for. */
  settle(): Promise<void> | undefined {
    this.#isDue = false
    this.#options.ruling.pace.begin()
    const parts = [...this.#parts.values(), ...this.#fresh]
    this.#fresh = []
    return this.#settleAll(parts.values())
  }

  #settleAll(parts: Iterator<Part>): Promise<void> | undefined {
    for (let next = parts.next(); !next.done; next = parts.next()) {
      const settling = this.#settlePart(next.value)
      if (settling) return settling.then(() => this.#settleAll(parts))
    }
    return undefined
  }

  #settlePart(part: Part): Promise<void> | undefined {
    const settling = part.channel.settle()
    if (this.#services.length === 0) return settling
    return (settling ?? Promise.resolve()).then(() => this.#askServices(part))
  }

  /** The error that must end the stream. */
  refusal(): ApiError | null {
    return this.#options.ruling.sheet.refusal()
  }

  #open(name: string, text: JudgedText): Part {
    const known = this.#parts.get(name)
    if (known) return known
    if (this.#parts.size >= mostParts) throw new Error('the stream has too many parts')
    const digest = this.#services.length > 0 ? createHash('sha256') : null
    const part = { channel: this.#createChannel(text), asked: 0, digest, waiting: 0 }
    this.#parts.set(name, part)
    return part
  }

  #openWhole(text: JudgedText): Part {
    const name = `${text.isEcho ? 'echo' : 'said'} ${text.json} ${text.text}`
    const known = this.#wholes.get(name)
    if (known) return known
    const part: Part = { channel: this.#createChannel(text), asked: 0, digest: null, waiting: 0 }
    const digest = this.#services.length > 0 ? createHash('sha256').update(text.text).digest('base64') : ''
    // What was said in pieces is often repeated as a whole: nobody is asked twice.
    if (text.isEcho || this.#judgedTexts.has(digest)) part.asked = Number.POSITIVE_INFINITY
    const [oldest] = this.#wholes.keys()
    if (oldest !== undefined && this.#wholes.size >= mostWholes) this.#wholes.delete(oldest)
    this.#wholes.set(name, part)
    this.#fresh.push(part)
    return part
  }

  #createChannel({ json, isEcho = false }: JudgedText): Channel {
    const { ruling, holdBackChars } = this.#options
    const policies = isEcho ? [] : this.#finding
    const holds = policies.some(({ action }) => action !== 'flag')
    return new Channel({ policies, judging: ruling, json, holdBackChars, holds })
  }

  /** What the policies here have let pass so far. */
  async #askServices(part: Part, force = false): Promise<void> {
    const { call, parts, ruling, holdBackChars } = this.#options
    const { channel, asked } = part
    const until = channel.cleared
    const isLast = force || channel.hasEnded
    if (until - asked < (isLast ? 1 : holdBacksPerQuestion * holdBackChars)) return
    const texts = [channel.readJudged(asked, until)]
    const question = { call, phase: 'output' as const, texts, final: isLast }
    await askServices(this.#services, question, { ask: parts.ask, sheet: ruling.sheet })
    ruling.pace.begin()
    part.asked = until
  }
}
