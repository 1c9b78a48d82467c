import type { ModelTerms } from '../../price-schema.js'
import type { PriceRow } from './store.js'

/** What a tenant set for a model. */
export interface OwnTerms extends ModelTerms {
  provider: string
  model: string
  effectiveFrom: Date
}

export interface OwnPrices {
  inForce: OwnTerms[]
  upcoming: OwnTerms[]
  /** When the next one comes into force; null when none is to come. */
  nextChange: Date | null
}

/** The rows are in the order of time for each model. */
export function splitPrices(rows: readonly PriceRow[], now: Date): OwnPrices {
  const inForce = new Map<string, OwnTerms>()
  const upcoming: OwnTerms[] = []
  for (const row of rows) {
    const terms = toTerms(row)
    if (row.effective_from > now) upcoming.push(terms)
    else inForce.set(`${row.provider}/${row.model}`, terms)
  }
  const [next] = upcoming.map(({ effectiveFrom }) => effectiveFrom).sort((a, b) => a.getTime() - b.getTime())
  return { inForce: [...inForce.values()], upcoming, nextChange: next ?? null }
}

const toTerms = ({ provider, model, effective_from, terms }: PriceRow): OwnTerms => ({
  ...terms,
  provider,
  model,
  effectiveFrom: effective_from,
})
