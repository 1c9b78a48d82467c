import type { JsonObject } from '../../json/index.js'
import {
  type CostBound,
  type Counts,
  costNanos,
  maxCostNanos,
  paysFor,
  usesOfUnits,
} from '../../pricing/index.js'
import type { HostedTool, HostedTools, Target } from '../../providers/index.js'
import type { Call } from '../call.js'
import type { InputSize } from './input.js'

/** How much of what a call may produce and use: the longest answer, per choice, and how often hosted tools are used. */
export interface Extent {
  outputTokens: number
  toolUses: number
}

/** What is reserved for a call: the dearest that it can be within its extent, as counts that its price gives this cost for. */
export interface ReservedUse {
  counts: Counts
  tier: string | null
  costNanos: number
}

// For a model whose maximum is not known: enough for an ordinary answer.
const unknownMaxOutput = 4_096

// A model goes on as long as its tools bring something new. This many times do for most questions.
const unknownToolUses = 8

/** What a call can cost at a target, for any extent. */
export class CallBounds {
  readonly #call: Call
  readonly #target: Target
  readonly #input: InputSize
  readonly #hosted: HostedTools
  readonly #tiers: readonly (string | null)[]
  readonly #mayWriteHour: boolean
  readonly #maySummarize: boolean
  readonly choices: number

  constructor(call: Call, target: Target, input: InputSize) {
    const { dialect, body } = call
    this.#call = call
    this.#target = target
    this.#input = input
    this.#hosted = dialect.hostedToolsOf(withoutIgnored(body, target))
    this.#tiers = dialect.tiersOf(body)
    this.#mayWriteHour = dialect.mayCacheForAnHour(body)
    this.#maySummarize = dialect.maySummarize(body)
    this.choices = dialect.choicesOf(body)
  }

  /** Whether the vendor runs tools in the middle of the call. */
  get usesTools(): boolean {
    return this.#hosted.tools.length > 0
  }

  /** What the caller asks for, and where it does not say, what the model can do. */
  get declared(): Extent {
    const { dialect, body } = this.#call
    return {
      outputTokens: dialect.maxOutputOf(body) ?? this.#target.maxOutputTokens ?? this.#unknownOutput(),
      toolUses: this.#declaredUses() ?? unknownToolUses,
    }
  }

  /** The request itself says how long an answer may be. */
  get declaresOutput(): boolean {
    return this.#call.dialect.maxOutputOf(this.#call.body) !== null
  }

  /** A request of this dialect can carry a maximum output. Without one, nobody enforces less than what the model can do. */
  get canLimitOutput(): boolean {
    return this.#call.dialect.outputFields.length > 0
  }

  /** The output that the vendor gives a request without a maximum, where that is less than the model's own. */
  get vendorDefault(): number {
    return this.#target.facts.defaultOutputTokens ?? Number.MAX_SAFE_INTEGER
  }

  /** An output that the request demands room for, such as for thinking. */
  get demandedOutput(): number {
    return this.#call.dialect.minOutputOf(this.#call.body)
  }

  /** The members that bound the uses of hosted tools, as JSON text by name. Null where this vendor honours none. */
  limitToolUses(uses: number): Record<string, string> | null {
    const { provider } = this.#target
    const limits = this.#call.dialect.limitToolUses(this.#call.body, uses)
    const isIgnored =
      limits !== null && Object.keys(limits).some((name) => provider.ignoredFields?.includes(name))
    return isIgnored ? null : limits
  }

  /** The caller does not say how often hosted tools may be used. */
  get hasUnboundedTools(): boolean {
    return this.usesTools && this.#declaredUses() === null
  }

  costOf(extent: Extent): number {
    return maxCostNanos(this.#target.price, this.#boundOf(extent), this.#tiers)
  }

  /** Input and output tokens, for limits that count tokens. */
  tokensOf({ outputTokens }: Extent): number {
    return this.#input.estimateTokens + outputTokens * this.choices
  }

  reservedFor(extent: Extent): ReservedUse {
    const { price } = this.#target
    const { input, audioIn = 0, output, audioOut = 0, images = 0, tools } = this.#boundOf(extent)
    const counts = { input, audioIn, output, audioOut, images, tools }
    const written = Math.max(0, input - audioIn)
    const cases = [
      counts,
      { ...counts, written },
      ...(this.#mayWriteHour ? [{ ...counts, written, writtenHour: written }] : []),
    ]
    return this.#tiers
      .flatMap((tier) =>
        cases.map((each) => ({ counts: each, tier, costNanos: costNanos(price, each, tier) })),
      )
      .reduce((dearest, each) => (each.costNanos > dearest.costNanos ? each : dearest))
  }

  /** What is paid by something else than tokens, where no request can ask for fewer tokens, has none to reserve. */
  #unknownOutput(): number {
    const { price } = this.#target
    const { unit } = this.#call.dialect
    const isPaidByUnit = unit !== undefined && paysFor(price, unit) && price.rates.output === 0
    return isPaidByUnit && !this.canLimitOutput ? 0 : unknownMaxOutput
  }

  #declaredUses(): number | null {
    const { tools, maxUses } = this.#hosted
    if (maxUses !== null) return maxUses
    const each = tools.filter(({ isFixed }) => !isFixed).map((tool) => tool.maxUses)
    return each.every((uses) => uses !== undefined) ? Math.max(0, ...each) : null
  }

  #boundOf({ outputTokens, toolUses }: Extent): CostBound {
    const { dialect, body } = this.#call
    const { facts } = this.#target
    const media = dialect.mediaOf(body)
    const rounds = this.#roundsOf(toolUses)
    const outputRounds = dialect.countsOutputPerRound ? rounds + 1 : this.#maySummarize ? 2 : 1
    // Whatever a request asks for, what a model says at once stands in its context.
    const window = facts.contextWindow ?? Number.MAX_SAFE_INTEGER
    const said = Math.min(outputTokens * outputRounds, window * (rounds + 1))
    const output = (said + this.#input.extraOutputTokens) * this.choices
    return {
      input: this.#inputOver(rounds, outputTokens),
      audioIn: this.#input.audioTokens,
      output,
      audioOut: media.audio ? output : 0,
      images: media.images ? this.choices * maxImagesPerChoice : 0,
      mayWriteHour: this.#mayWriteHour,
      tools: {
        ...facts.usesPerCall,
        ...this.#feesOf(toolUses),
        ...usesOfUnits(this.#target.price, this.#input.units),
      },
    }
  }

  #feesOf(toolUses: number): Record<string, number> {
    const fees: Record<string, number> = {}
    for (const tool of this.#hosted.tools)
      fees[tool.fee] = (fees[tool.fee] ?? 0) + (tool.perCall ? 1 : usesOf(tool, toolUses))
    return fees
  }

  /** How often the model is asked again: with what a tool brought, and each time before that to shorten all of it. */
  #roundsOf(toolUses: number): number {
    const uses = this.#usesWithin(toolUses)
    return this.#maySummarize ? 2 * uses + 1 : uses
  }

  #usesWithin(toolUses: number): number {
    const { tools, maxUses } = this.#hosted
    if (tools.length === 0) return 0
    if (maxUses !== null) return Math.min(maxUses, toolUses)
    return tools.reduce((sum, tool) => sum + usesOf(tool, toolUses), 0)
  }

  /** In each round the model reads all that came before: the call, its own output, and what tools brought. */
  #inputOver(rounds: number, outputTokens: number): number {
    const { facts, hosted } = this.#target
    const window = facts.contextWindow ?? Number.MAX_SAFE_INTEGER
    const contentOf = (fee: string) => hosted[fee] ?? facts.contextWindow ?? 0
    const always = Object.keys(facts.usesPerCall).reduce((sum, fee) => sum + contentOf(fee), 0)
    const perRound = Math.max(0, ...this.#hosted.tools.map(({ fee }) => contentOf(fee)))
    const first = this.#input.boundTokens + always
    const growth = perRound + outputTokens
    // A request may allow a billion rounds: they are summed up, not gone through.
    const within = first >= window ? 0 : growth === 0 ? rounds : Math.floor((window - first) / growth)
    const growing = Math.min(rounds, within)
    return (
      this.#input.boundTokens +
      Math.min(always, window) +
      growing * first +
      (growth * growing * (growing + 1)) / 2 +
      (rounds - growing) * window
    )
  }
}

/** A limit that this vendor ignores is none. */
const withoutIgnored = (body: JsonObject, { provider: { ignoredFields = [] } }: Target): JsonObject =>
  ignoredFields.some((name) => body[name] !== undefined)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !ignoredFields.includes(name)))
    : body

const usesOf = ({ maxUses, isFixed }: HostedTool, toolUses: number): number =>
  isFixed ? (maxUses ?? toolUses) : Math.min(maxUses ?? toolUses, toolUses)

// A model that draws beside what it writes does so a few times.
const maxImagesPerChoice = 4

/** The largest whole number from `least` to `most` that fits, by bisection; what fits must fit for all smaller ones. */
export function largestThat(least: number, most: number, fits: (value: number) => boolean): number {
  let fitting = least
  let tooMuch = most + 1
  while (tooMuch - fitting > 1) {
    const middle = Math.floor((fitting + tooMuch) / 2)
    if (fits(middle)) fitting = middle
    else tooMuch = middle
  }
  return fitting
}
