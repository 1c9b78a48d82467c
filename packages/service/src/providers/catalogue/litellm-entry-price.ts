import {
  type LongerRates,
  type Price,
  picosFromUsd,
  type Rates,
  type TierPrice,
  withCacheRates,
} from '@tallystick/record/pricing'

type Entry = Readonly<Record<string, unknown>>
type SomeRates = { -readonly [Kind in keyof Rates]?: number }

const kinds: Readonly<Record<string, keyof Rates>> = {
  cache_creation_input_token_cost_above_1hr: 'writtenHour',
  cache_creation_input_token_cost: 'written',
  cache_read_input_token_cost: 'cached',
  input_cost_per_audio_token: 'audioIn',
  output_cost_per_audio_token: 'audioOut',
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  output_cost_per_image: 'image',
}
const rateField = new RegExp(
  `^(${Object.keys(kinds).join('|')})(?:_above_(\\d+)k_tokens)?(?:_(priority|flex|batches))?$`,
)

/**
 * Token rates of other modalities. They can be ignored as long as they are not above the rate that is used instead.
 */
const ignoredUpTo: Readonly<Record<string, keyof Rates>> = {
  cache_read_input_audio_token_cost: 'cached',
  cache_creation_input_audio_token_cost: 'written',
  input_cost_per_image_token: 'input',
  input_cost_per_video_token: 'input',
  output_cost_per_image_token: 'output',
  output_cost_per_video_token: 'output',
  output_cost_per_reasoning_token: 'output',
}

/** Costs that are not part of a call: storage by the day. */
const storageField = /_per_gb_per_day$/

const isPriceField = (name: string): boolean =>
  /cost|pric|fee|multiplier|uplift|surcharge|provider_specific/.test(name)

/** True for a usable figure. Zero means "not filled in" as often as "free", so it is treated as missing. */
const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== 0

/**
 * Returns the price of an entry. Fields that this service's price model cannot express are added to the faults,
 * each by its name.
 */
export function readEntryPrice(entry: Entry, faults: string[]): Price {
  const listed = new ListedRates()
  const tiers: Record<string, TierPrice> = {}
  const fees: Record<string, number> = {}

  function amount(name: string, value: unknown, read: (usd: number) => void): void {
    try {
      if (typeof value !== 'number') throw new Error(`${name} is not a number`)
      read(picosFromUsd(name, value))
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error))
    }
  }
  function factor(tier: string, name: string, value: unknown): void {
    const permille = typeof value === 'number' ? Math.round(value * 1000) : Number.NaN
    if (permille > 0 && permille / 1000 === value) tiers[tier] = { ...tiers[tier], permille }
    else faults.push(`${name} is not a factor of at most three decimal places`)
  }

  for (const [name, value] of Object.entries(entry)) {
    if (!isPriceField(name) || !hasValue(value)) continue
    const [, field = '', above = '0', tier = ''] = rateField.exec(name) ?? []
    const kind = kinds[field]
    if (kind !== undefined) {
      const named = tier === 'batches' ? 'batch' : tier
      amount(name, value, (picos) => listed.set(named, Number(above) * 1000, kind, picos))
    } else if (name === 'input_cost_per_token_cache_hit') {
      if (!hasValue(entry.cache_read_input_token_cost))
        amount(name, value, (picos) => listed.set('', 0, 'cached', picos))
    } else if (name === 'search_context_cost_per_query') {
      for (const [size, usd] of Object.entries(isRecord(value) ? value : { size: value }))
        amount(`${name}.${size}`, usd, (picos) => {
          // The caller chooses the size, and the answer does not report it, so the highest fee applies.
          fees.web_search = fees.web_search_preview = Math.max(picos, fees.web_search ?? 0)
        })
    } else if (name === 'file_search_cost_per_1k_calls') {
      amount(name, value, (picos) => {
        fees.file_search = Math.ceil(picos / 1000)
      })
    } else if (name === 'code_interpreter_cost_per_session') {
      amount(name, value, (picos) => {
        fees.code_interpreter = picos
      })
    } else if (name.startsWith('regional_processing_uplift_multiplier_')) {
      factor(name.slice('regional_processing_uplift_multiplier_'.length), name, value)
    } else if (name === 'provider_specific_entry' && isRecord(value)) {
      for (const [tierName, times] of Object.entries(value)) factor(tierName, `${name}.${tierName}`, times)
    } else if (ignoredUpTo[name] === undefined && !storageField.test(name)) {
      faults.push(`${name} cannot be expressed`)
    }
  }

  const rates = listed.rates('')
  for (const [name, kind] of Object.entries(ignoredUpTo)) {
    const value = entry[name]
    const limit = rates[kind] ?? rates.input
    if (hasValue(value))
      amount(name, value, (picos) => {
        if (picos > limit) faults.push(`${name} is above the price of text and cannot be expressed`)
      })
  }
  for (const tier of listed.tiers()) {
    const longer = listed.longer(tier)
    tiers[tier] = { ...tiers[tier], rates: listed.rates(tier), ...(longer.length > 0 && { longer }) }
  }
  const longer = listed.longer('')
  return {
    rates,
    ...(longer.length > 0 && { longer }),
    ...(Object.keys(tiers).length > 0 && { tiers }),
    ...(Object.keys(fees).length > 0 && { fees }),
  }
}

/**
 * Rates as the file lists them: by tier (empty for the standard tier) and by the input length above which they
 * apply.
 */
class ListedRates {
  // Bounded: rates of one model.
  readonly #given = new Map<string, Map<number, SomeRates>>()

  set(tier: string, above: number, kind: keyof Rates, picos: number): void {
    const byLength = this.#given.get(tier) ?? new Map<number, SomeRates>()
    this.#given.set(tier, byLength)
    byLength.set(above, { ...byLength.get(above), [kind]: picos })
  }

  tiers(): string[] {
    return [...this.#given.keys()].filter((tier) => tier !== '')
  }

  rates(tier: string): Rates {
    const standard = overlay({ input: 0, output: 0 }, this.#at('', 0))
    return tier === '' ? standard : overlay(standard, this.#at(tier, 0))
  }

  longer(tier: string): LongerRates[] {
    const lengths = [...(this.#given.get('')?.keys() ?? []), ...(this.#given.get(tier)?.keys() ?? [])]
    const thresholds = [...new Set(lengths)].filter((above) => above > 0).sort((a, b) => a - b)
    let before = this.rates(tier)
    return thresholds.map((aboveInputTokens) => {
      const own = this.#given.get(tier)?.get(aboveInputTokens)
      // A tier without a rate for longer input costs at least what the standard tier does.
      before = own
        ? overlay(before, own)
        : highestRates(before, overlay(before, this.#at('', aboveInputTokens)))
      return { aboveInputTokens, rates: before }
    })
  }

  #at(tier: string, above: number): SomeRates {
    return this.#given.get(tier)?.get(above) ?? {}
  }
}

// Returns the previous rates with the listed ones applied. The cache is an exception: when the input has a new
// price, the old cache price no longer applies, and cached input costs the same as input.
function overlay(before: Rates, listed: SomeRates): Rates {
  const { cached: _, written: __, writtenHour: ___, ...withoutCache } = before
  return withCacheRates({ ...(listed.input === undefined ? before : withoutCache), ...listed })
}

function highestRates(a: Rates, b: Rates): Rates {
  const all: SomeRates & Rates = { ...b, ...a }
  for (const kind of Object.values(kinds)) {
    const [left, right] = [a[kind], b[kind]]
    if (left !== undefined && right !== undefined) all[kind] = Math.max(left, right)
  }
  return all
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
