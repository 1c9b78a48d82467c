import type { JsonObject } from '@tallystick/record/json'
import {
  type CostBound,
  type Counts,
  costNanos,
  maxCostNanos,
  paysFor,
  usesOfUnits,
} from '@tallystick/record/pricing'
import type { HostedTool, HostedTools, Target } from '../../../providers/index.js'
import type { Call } from '../call.js'
import type { InputSize } from './input-size.js'

/** How many output tokens a call may produce per choice, and how often it may use hosted tools. */
export interface Allowance {
  outputTokens: number
  toolUses: number
}

/** The most expensive usage of a call within its allowance, with the counts that result in this cost. */
export interface ReservedUsage {
  counts: Counts
  tier: string | null
  costNanos: number
}

// The maximum output of a model whose own maximum is not known. Enough for an ordinary answer.
const unknownMaxOutput = 4_096

// The tool uses of a call that does not limit them. Enough for most questions.
const unknownToolUses = 8

const noTools: Record<string, number> = {}

/** Computes what a call can cost at a target, for any allowance. */
export class CallBounds {
  readonly #call: Call
  readonly #target: Target
  readonly #input: InputSize
  readonly #hosted: HostedTools
  readonly #tiers: readonly (string | null)[]
  /** Whether the request may write to a prompt cache that is kept for an hour, which costs more. */
  readonly #mayWriteHour: boolean
  readonly #maySummarize: boolean
  readonly choices: number
  /** The cost of the allowance that was asked about last: most calls ask about one, several times. */
  #lastCost: { allowance: Allowance; nanos: number } | null = null

  constructor(call: Call, target: Target, input: InputSize) {
    const { endpoint, body } = call
    this.#call = call
    this.#target = target
    this.#input = input
    this.#hosted = endpoint.hostedToolsOf(withoutIgnored(body, target))
    this.#tiers = endpoint.tiersOf(body)
    this.#mayWriteHour = endpoint.mayCacheForAnHour(body)
    this.#maySummarize = endpoint.maySummarize(body)
    this.choices = endpoint.choicesOf(body)
  }

  /** True when the vendor runs tools during the call. */
  get usesTools(): boolean {
    return this.#hosted.tools.length > 0
  }

  /** The allowance that the request declares, with the maximum of the model for what it does not declare. */
  get declared(): Allowance {
    const { endpoint, body } = this.#call
    return {
      outputTokens: endpoint.maxOutputOf(body) ?? this.#target.maxOutputTokens ?? this.#unknownOutput(),
      toolUses: this.#declaredUses() ?? unknownToolUses,
    }
  }

  /** True when the request declares a maximum output. */
  get declaresOutput(): boolean {
    return this.#call.endpoint.maxOutputOf(this.#call.body) !== null
  }

  /** True when requests to this endpoint can declare a maximum output. Otherwise only the maximum of the model applies. */
  get canLimitOutput(): boolean {
    return this.#call.endpoint.outputFields.length > 0
  }

  /** The maximum that the vendor applies to requests without one, if it is lower than the model's. */
  get vendorDefault(): number {
    return this.#target.properties.defaultOutputTokens ?? Number.MAX_SAFE_INTEGER
  }

  /** The least output that the request requires, such as its thinking budget. */
  get requiredOutput(): number {
    return this.#call.endpoint.minOutputOf(this.#call.body)
  }

  /** Returns the members that limit the uses of hosted tools, as JSON text by name. Null when this vendor honours none. */
  limitToolUses(uses: number): Record<string, string> | null {
    const { provider } = this.#target
    const limits = this.#call.endpoint.limitToolUses(this.#call.body, uses)
    const isIgnored =
      limits !== null && Object.keys(limits).some((name) => provider.ignoredFields?.includes(name))
    return isIgnored ? null : limits
  }

  /** True when the request has hosted tools and does not limit their uses. */
  get hasUnboundedTools(): boolean {
    return this.usesTools && this.#declaredUses() === null
  }

  costOf(allowance: Allowance): number {
    if (this.#lastCost?.allowance !== allowance)
      this.#lastCost = {
        allowance,
        nanos: maxCostNanos(this.#target.price, this.#boundOf(allowance), this.#tiers),
      }
    return this.#lastCost.nanos
  }

  /** Returns input plus output tokens, for limits that count tokens. */
  tokensOf({ outputTokens }: Allowance): number {
    return this.#input.estimateTokens + outputTokens * this.choices
  }

  reservedFor(allowance: Allowance): ReservedUsage {
    const { price } = this.#target
    const { input, audioIn = 0, output, audioOut = 0, images = 0, tools } = this.#boundOf(allowance)
    // All of the input may be written to a prompt cache, which has a price of its own.
    const written = Math.max(0, input - audioIn)
    const cases: Counts[] = [
      { input, audioIn, output, audioOut, images, tools },
      { input, audioIn, output, audioOut, images, tools, written },
    ]
    if (this.#mayWriteHour)
      cases.push({ input, audioIn, output, audioOut, images, tools, written, writtenHour: written })
    return this.#tiers
      .flatMap((tier) => cases.map((counts) => ({ counts, tier, costNanos: costNanos(price, counts, tier) })))
      .reduce((most, each) => (each.costNanos > most.costNanos ? each : most))
  }

  /** Returns the output to reserve when it is not known. Zero for endpoints that are paid by another unit and cannot limit tokens. */
  #unknownOutput(): number {
    const { price } = this.#target
    const { unit } = this.#call.endpoint.price
    const isPaidByUnit = unit !== undefined && paysFor(price, unit) && price.rates.output === 0
    return isPaidByUnit && !this.canLimitOutput ? 0 : unknownMaxOutput
  }

  #declaredUses(): number | null {
    const { tools, maxUses } = this.#hosted
    if (maxUses !== null) return maxUses
    const each = tools.filter(({ isFixed }) => !isFixed).map((tool) => tool.maxUses)
    return each.every((uses) => uses !== undefined) ? Math.max(0, ...each) : null
  }

  #boundOf({ outputTokens, toolUses }: Allowance): CostBound {
    const { endpoint, body } = this.#call
    const { properties } = this.#target
    const media = endpoint.mediaOf(body)
    const rounds = this.#roundsOf(toolUses)
    const outputRounds = endpoint.countsOutputPerRound ? rounds + 1 : this.#maySummarize ? 2 : 1
    // The output of one round is part of the context, so it cannot exceed the window.
    const window = properties.contextWindow ?? Number.MAX_SAFE_INTEGER
    const perChoice = Math.min(outputTokens * outputRounds, window * (rounds + 1))
    const output = (perChoice + this.#input.extraOutputTokens) * this.choices
    return {
      input: this.#inputOver(rounds, outputTokens),
      audioIn: this.#input.audioTokens,
      output,
      audioOut: media.audio ? output : 0,
      images: media.images ? this.choices * maxImagesPerChoice : 0,
      mayWriteHour: this.#mayWriteHour,
      tools: this.#toolsOf(toolUses),
    }
  }

  #toolsOf(toolUses: number): Record<string, number> {
    const { properties, price } = this.#target
    const hasNone =
      this.#hosted.tools.length === 0 &&
      this.#input.units.length === 0 &&
      Object.keys(properties.usesPerCall).length === 0
    if (hasNone) return noTools
    return {
      ...properties.usesPerCall,
      ...this.#feesOf(toolUses),
      ...usesOfUnits(price, this.#input.units),
    }
  }

  #feesOf(toolUses: number): Record<string, number> {
    const fees: Record<string, number> = {}
    for (const tool of this.#hosted.tools)
      fees[tool.fee] = (fees[tool.fee] ?? 0) + (tool.perCall ? 1 : usesOf(tool, toolUses))
    return fees
  }

  /** Returns how often the model is called again: once for each tool use, and once before each to summarize the context. */
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

  /** Returns the input of all rounds. In each round the model reads the call, its own output so far and the results of tools. */
  #inputOver(rounds: number, outputTokens: number): number {
    const { properties, hostedToolTokens } = this.#target
    const window = properties.contextWindow ?? Number.MAX_SAFE_INTEGER
    const contentOf = (fee: string) => hostedToolTokens[fee] ?? properties.contextWindow ?? 0
    const always = Object.keys(properties.usesPerCall).reduce((sum, fee) => sum + contentOf(fee), 0)
    const perRound = Math.max(0, ...this.#hosted.tools.map(({ fee }) => contentOf(fee)))
    const first = this.#input.boundTokens + always
    const growth = perRound + outputTokens
    // Computed as a sum, because a request may allow a billion rounds.
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

/** Removes members that this vendor ignores, so that nothing relies on them. */
const withoutIgnored = (body: JsonObject, { provider: { ignoredFields = [] } }: Target): JsonObject =>
  ignoredFields.some((name) => body[name] !== undefined)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !ignoredFields.includes(name)))
    : body

const usesOf = ({ maxUses, isFixed }: HostedTool, toolUses: number): number =>
  isFixed ? (maxUses ?? toolUses) : Math.min(maxUses ?? toolUses, toolUses)

// A model that draws images in its answers draws a few per answer.
const maxImagesPerChoice = 4

/** Returns the largest whole number from `least` to `most` that fits, by bisection. If a number fits, all smaller ones must fit too. */
export function largestWithin(least: number, most: number, fits: (value: number) => boolean): number {
  let fitting = least
  let tooMuch = most + 1
  while (tooMuch - fitting > 1) {
    const middle = Math.floor((fitting + tooMuch) / 2)
    if (fits(middle)) fitting = middle
    else tooMuch = middle
  }
  return fitting
}
