import { type Db, inTransaction } from '../../db/index.js'
import { invalidRequest, notFound } from '../../shared/errors.js'
import { findPriceFaults } from '../../shared/price-schema.js'
import { type Actor, recordChange } from '../audit/index.js'
import type { SetPrice } from './schema.js'
import {
  deletePrices,
  listPricesOfModel,
  lockPrices,
  type ModelKey,
  type PriceRow,
  replacePrice,
} from './store.js'

const describe = (rows: readonly PriceRow[]) =>
  rows.length === 0
    ? null
    : {
        provider: rows[0]?.provider,
        model: rows[0]?.model,
        prices: rows.map(({ terms, effective_from }) => ({
          ...terms,
          effectiveFrom: effective_from.toISOString(),
        })),
      }

const subjectOf = ({ provider, model }: ModelKey) => `${provider}/${model}`

export async function setPrice(
  db: Db,
  actor: Actor,
  model: { provider: string; model: string },
  { effectiveFrom, ...terms }: SetPrice,
  now: Date,
): Promise<void> {
  requireSoundPrice(terms.price)
  const key = { ...model, tenantId: actor.tenantId }
  const from = effectiveFrom === undefined ? now : new Date(effectiveFrom)
  await inTransaction(db, async (tx) => {
    await lockPrices(tx, actor.tenantId)
    const before = describe(await listPricesOfModel(tx, key))
    await replacePrice(tx, key, terms, from > now ? from : now, from > now)
    const after = describe(await listPricesOfModel(tx, key))
    await recordChange(tx, actor, { action: 'model_price.set', subjectId: subjectOf(key), before, after })
  })
}

/** Deleting again, or deleting a price that never existed, succeeds: the model has its other price in any case. */
export async function deletePrice(
  db: Db,
  actor: Actor,
  model: { provider: string; model: string },
): Promise<void> {
  const key = { ...model, tenantId: actor.tenantId }
  await inTransaction(db, async (tx) => {
    await lockPrices(tx, actor.tenantId)
    const before = describe(await listPricesOfModel(tx, key))
    if (before === null) return
    await deletePrices(tx, key)
    await recordChange(tx, actor, {
      action: 'model_price.delete',
      subjectId: subjectOf(key),
      before,
      after: null,
    })
  })
}

/** Refuses amounts that would have to be rounded. */
function requireSoundPrice(price: SetPrice['price']): void {
  if (price === 'free') return
  const faults = findPriceFaults(price).map(({ path, message }) => ({ path: `price.${path}`, message }))
  const [first] = faults
  if (first) throw invalidRequest(`${first.path}: ${first.message}`, faults)
}

export function requireKnownProvider(providers: readonly string[], name: string): void {
  if (!providers.includes(name)) throw notFound('provider')
}
