import type { CounterSpec, GaugeSpec, HistogramSpec } from './metric-table.js'
import { type LabelName, labelBounds } from './metric-table.js'

export type Labels<Names extends readonly LabelName[]> = Record<Names[number], string>

/** The label value for all values beyond the maximum. */
const otherValue = 'other'
const maxValueLength = 128
const separator = '\u0000'

/** The label values so far, for all metrics together, so that a team is named in all metrics or in none. */
export class LabelValues {
  // Bounded: the bounds of the labels, in the table.
  readonly #seen = new Map<LabelName, Set<string>>()

  /** Replaces values beyond the maximum of their label by `other`. */
  bound(names: readonly LabelName[], values: readonly string[]): string[] {
    const bounded: string[] = []
    for (const [i, name] of names.entries()) {
      const value = (values[i] ?? '').slice(0, maxValueLength)
      const bound = labelBounds[name]
      const within = 'within' in bound ? bounded[names.indexOf(bound.within)] : ''
      bounded.push(this.#admit(name, `${within}${separator}${value}`, bound.max) ? value : otherValue)
    }
    return bounded
  }

  #admit(name: LabelName, value: string, max: number): boolean {
    const seen = this.#seen.get(name) ?? new Set()
    this.#seen.set(name, seen)
    if (seen.has(value)) return true
    if (seen.size >= max) return false
    seen.add(value)
    return true
  }

  count(name: LabelName): number {
    return this.#seen.get(name)?.size ?? 0
  }
}

/** One series of a counter or gauge. */
export class Count {
  value = 0

  add(amount = 1): void {
    this.value += amount
  }
}

/** One series of a histogram. */
export class Distribution {
  readonly #bounds: readonly number[]
  /** Counts by bucket, not cumulative; the last is for values above all bounds. */
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    let i = 0
    while (i < this.#bounds.length && value > (this.#bounds[i] ?? 0)) i++
    this.counts[i] = (this.counts[i] ?? 0) + 1
    this.sum += value
  }

  add(sum: number, counts: readonly number[]): void {
    for (const [i, count] of counts.entries()) this.counts[i] = (this.counts[i] ?? 0) + count
    this.sum += sum
  }
}

/** The series of one metric, by the values of its labels. */
export class Series<Spec extends CounterSpec | HistogramSpec | GaugeSpec, Item> {
  readonly spec: Spec
  readonly #make: () => Item
  readonly #values: LabelValues
  // Bounded: the product of these bounds.
  readonly #items = new Map<string, { values: string[]; item: Item }>()

  constructor(spec: Spec, values: LabelValues, make: () => Item) {
    this.spec = spec
    this.#values = values
    this.#make = make
  }

  /** Callers that count often should keep the result, because the lookup takes longer than counting. */
  get(values: readonly string[]): Item {
    const bounded = this.#values.bound(this.spec.labels, values)
    const key = bounded.join(separator)
    const found = this.#items.get(key)
    if (found) return found.item
    const item = this.#make()
    this.#items.set(key, { values: bounded, item })
    return item
  }

  find(values: readonly string[]): Item | undefined {
    return this.#items.get(this.#values.bound(this.spec.labels, values).join(separator))?.item
  }

  clear(): void {
    this.#items.clear()
  }

  all(): Iterable<{ values: string[]; item: Item }> {
    return this.#items.values()
  }
}
