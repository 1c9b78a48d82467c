import type { ModelSettings } from '../../shared/price-schema.js'
import type { PriceRow } from './store.js'

/** The settings that a tenant made for a model. */
export interface OwnModelSettings extends ModelSettings {
  provider: string
  model: string
  effectiveFrom: Date
}

export interface OwnPrices {
  inForce: OwnModelSettings[]
  upcoming: OwnModelSettings[]
  /** When the next one takes effect; null when none is scheduled. */
  nextChange: Date | null
}

/** Expects the rows of each model in order of time. */
export function splitPrices(rows: readonly PriceRow[], now: Date): OwnPrices {
  const inForce = new Map<string, OwnModelSettings>()
  const upcoming: OwnModelSettings[] = []
  for (const row of rows) {
    const terms = toTerms(row)
    if (row.effective_from > now) upcoming.push(terms)
    else inForce.set(`${row.provider}/${row.model}`, terms)
  }
  const [next] = upcoming.map(({ effectiveFrom }) => effectiveFrom).sort((a, b) => a.getTime() - b.getTime())
  return { inForce: [...inForce.values()], upcoming, nextChange: next ?? null }
}

const toTerms = ({ provider, model, effective_from, terms }: PriceRow): OwnModelSettings => ({
  ...terms,
  provider,
  model,
  effectiveFrom: effective_from,
})
