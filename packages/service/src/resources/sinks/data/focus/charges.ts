import { exactCostLines, type Price } from '@tallystick/record/pricing'
import { canonicalModel, type Entry } from '../../../../record/index.js'
import { attosPerNano, attosPerPico } from './decimal.js'

/** What calls of one hour have in common, so that their charges are one row. */
export interface ChargeLabels {
  /** The start of the hour in which the calls were admitted. */
  hour: string
  keyId: string | null
  userId: string | null
  teamId: string | null
  provider: string | null
  model: string | null
  isTool: boolean
  tier: string | null
  /** The tags of the call as JSON. */
  tags: string | null
  /** A kind of cost line, or why there is none. */
  kind: string
  /** The price of one unit in attodollars; null when the charge has no quantity. */
  unitAttos: bigint | null
  /** Whether it corrects a call of an earlier month. */
  isLateCorrection: boolean
}

export interface Charge {
  labels: ChargeLabels
  count: bigint
  attos: bigint
}

/** The kinds of charges without a quantity. */
export const rounding = 'rounding'
export const correction = 'correction'

/**
 * Returns the charges of a call: one for each kind of tokens, images and uses of tools. The cost of a call is rounded
 * up to the nano-dollar, so what remains is a charge of its own. The sum is the cost of the receipt.
 */
export function chargesOf(entry: Entry, price: Price | null): Charge[] {
  const shared = sharedLabels(entry)
  const lines = price && entry.counts ? exactCostLines(price, entry.counts, entry.tier ?? null) : []
  const charges = lines.map(({ kind, count, rate, factor, scale }): Charge => {
    const unitAttos = (rate * factor * attosPerPico) / scale
    return { labels: { ...shared, kind, unitAttos }, count, attos: count * unitAttos }
  })
  const rest = charges.reduce((left, { attos }) => left - attos, BigInt(entry.costNanos ?? 0) * attosPerNano)
  if (rest !== 0n)
    charges.push({ labels: { ...shared, kind: rounding, unitAttos: null }, count: 0n, attos: rest })
  return charges
}

/** The difference that a correction makes, in the hour of the call that it corrects, where usage reports have it. */
export function chargeOfCorrection(entry: Entry, corrected: Entry): Charge {
  const isLateCorrection = monthOf(entry.ts) > monthOf(corrected.ts)
  const labels = { ...sharedLabels(corrected), kind: correction, unitAttos: null, isLateCorrection }
  return { labels, count: 0n, attos: BigInt(entry.costNanos ?? 0) * attosPerNano }
}

const sharedLabels = (entry: Entry): Omit<ChargeLabels, 'kind' | 'unitAttos'> => ({
  hour: `${new Date(entry.ts).toISOString().slice(0, 13)}:00:00Z`,
  keyId: entry.key ?? null,
  userId: entry.user ?? null,
  teamId: entry.team ?? null,
  provider: entry.provider ?? null,
  model: canonicalModel(entry),
  isTool: entry.kind === 'tool',
  tier: entry.tier ?? null,
  tags: entry.tags === undefined ? null : JSON.stringify(entry.tags),
  isLateCorrection: false,
})

const monthOf = (ts: string): string => new Date(ts).toISOString().slice(0, 7)

/** Charges with the same labels, in the order in which they first appeared. */
export class ChargeSums {
  // Bounded: a batch ends once it has this many rows.
  readonly #sums = new Map<string, Charge & { at: Date }>()

  add({ labels, count, attos }: Charge, at: Date): void {
    const { unitAttos, ...others } = labels
    const key = JSON.stringify([...Object.values(others), String(unitAttos)])
    const sum = this.#sums.get(key)
    if (sum === undefined) this.#sums.set(key, { labels, count, attos, at })
    else {
      sum.count += count
      sum.attos += attos
    }
  }

  get size(): number {
    return this.#sums.size
  }

  /** With the time of the first call of each. */
  values(): (Charge & { at: Date })[] {
    return [...this.#sums.values()]
  }
}
