import { type Counts, costNanos, type Price, priceHash, readPrice } from '../../pricing/index.js'
import type { AcceptedEntry } from '../record-verifier.js'
import type { Fields } from './documents.js'
import { type Finding, formatCount } from './verdict.js'

/** Computes the cost of every call again from its counts and the price that the record contains. */
export class CostCheck {
  readonly #prices = new Map<string, Price>()
  readonly #costs = new Map<number, number>()
  #fault: Finding['fault'] = null
  #computed = 0
  #adjusted = 0
  #sum = 0n
  #withoutPrice = 0
  #strayAdjustments = 0

  addEntry({ fields }: AcceptedEntry): void {
    if (this.#fault !== null) return
    if (fields.event === 'price.apply') this.#addPrice(fields)
    else if (fields.event === 'receipt.adjust') this.#adjust(fields)
    else if (fields.kind === 'model' || fields.kind === 'tool') this.#compute(fields)
  }

  finish(file: string): Finding {
    const usd = formatNanos(this.#sum)
    const calls = formatCount(this.#computed, 'call')
    const corrections = this.#adjusted === 0 ? '' : `, with ${formatCount(this.#adjusted, 'correction')}`
    const unknown = this.#withoutPrice + this.#strayAdjustments
    return {
      file,
      kind: 'costs',
      fault: this.#fault,
      ...(this.#fault === null && unknown > 0 && { unproved: 'not every cost can be computed again' }),
      established: [`The cost of ${calls} is what counts and price come to: USD ${usd} in all${corrections}`],
      remarks: [
        ...remark(
          this.#withoutPrice,
          'name a price that is not in the export: give the earlier part of the record too',
        ),
        ...remark(this.#strayAdjustments, 'correct an entry of an earlier part of the record'),
      ],
      facts: {
        computed: this.#computed,
        adjusted: this.#adjusted,
        costNanos: this.#sum.toString(),
        withoutPrice: this.#withoutPrice,
      },
    }
  }

  #addPrice({ seq, subject, terms }: Fields): void {
    const price = readPrice(terms)
    if (price === null) this.#refuse(seq, 'has a price that cannot be read')
    else if (priceHash(price) !== subject) this.#refuse(seq, 'has another price than its hash says')
    else this.#prices.set(String(subject), price)
  }

  #compute({ seq, costNanos: stated, counts, tier, price: hash }: Fields): void {
    const price = this.#prices.get(String(hash))
    if (price === undefined) {
      this.#withoutPrice++
      return
    }
    const computed = costNanos(price, readCounts(counts), typeof tier === 'string' ? tier : null)
    if (stated !== computed) {
      this.#refuse(seq, `costs ${String(stated)} nano-dollars; its counts and price come to ${computed}`)
      return
    }
    this.#computed++
    this.#sum += BigInt(computed)
    this.#costs.set(Number(seq), computed)
  }

  /** Applies a correction. No call may have a negative cost after all corrections. */
  #adjust({ seq, adjusts, costNanos: difference }: Fields): void {
    const cost = this.#costs.get(Number(adjusts))
    if (typeof difference !== 'number' || !Number.isSafeInteger(difference)) {
      this.#refuse(seq, 'corrects a cost by something that is no amount')
    } else if (cost === undefined) {
      this.#strayAdjustments++
    } else if (cost + difference < 0) {
      this.#refuse(seq, `makes the cost of entry ${String(adjusts)} negative`)
    } else {
      this.#adjusted++
      this.#sum += BigInt(difference)
      this.#costs.set(Number(adjusts), cost + difference)
    }
  }

  #refuse(seq: unknown, what: string): void {
    this.#fault = { kind: 'wrong_cost', seq: Number(seq), message: `Entry ${String(seq)} ${what}` }
  }
}

function readCounts(value: unknown): Counts {
  return typeof value === 'object' && value !== null ? value : {}
}

const remark = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${formatCount(count, 'entry', 'entries')} ${what}`]

function formatNanos(nanos: bigint): string {
  const digits = nanos.toString().padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}
