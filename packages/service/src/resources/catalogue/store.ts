import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db/index.js'
import { conflict } from '../../shared/errors.js'

export type PriceRow = Selectable<Tables['model_prices']>

/** Identifies a model of a provider. */
export interface ModelKey {
  tenantId: string
  provider: string
  model: string
}

// Each model has at most one price in force and one scheduled price.
const maxPrices = 4_000

/** Lists all of a tenant's own prices, in force and scheduled, by time for each model. */
export async function listPrices(db: Db, tenantId: string): Promise<PriceRow[]> {
  return await db
    .selectFrom('model_prices')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('provider')
    .orderBy('model')
    .orderBy('effective_from')
    .execute()
}

const selectModel = (tx: Tx, { tenantId, provider, model }: ModelKey) =>
  tx
    .selectFrom('model_prices')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('provider', '=', provider)
    .where('model', '=', model)
    .orderBy('effective_from')

export const listPricesOfModel = async (tx: Tx, key: ModelKey): Promise<PriceRow[]> =>
  await selectModel(tx, key).execute()

/** Serialises price changes of a tenant. */
export async function lockPrices(tx: Tx, tenantId: string): Promise<void> {
  await sql`select from tenants where id = ${tenantId} for no key update`.execute(tx)
}

/** Replaces the price in force or, if it takes effect later, the scheduled price. */
export async function replacePrice(
  tx: Tx,
  { tenantId, provider, model }: ModelKey,
  terms: PriceRow['terms'],
  effectiveFrom: Date,
  isUpcoming: boolean,
): Promise<void> {
  const now = sql<Date>`now()`
  await tx
    .deleteFrom('model_prices')
    .where('tenant_id', '=', tenantId)
    .where('provider', '=', provider)
    .where('model', '=', model)
    .where('effective_from', isUpcoming ? '>' : '<=', now)
    .execute()
  const { count } = await tx
    .selectFrom('model_prices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  if (count >= maxPrices) throw conflict(`A tenant has at most ${maxPrices} prices of its own; delete some`)
  await tx
    .insertInto('model_prices')
    .values({
      ...{ tenant_id: tenantId, provider, model },
      effective_from: effectiveFrom,
      terms: JSON.stringify(terms),
    })
    .execute()
}

export async function deletePrices(tx: Tx, { tenantId, provider, model }: ModelKey): Promise<void> {
  await tx
    .deleteFrom('model_prices')
    .where('tenant_id', '=', tenantId)
    .where('provider', '=', provider)
    .where('model', '=', model)
    .execute()
}
