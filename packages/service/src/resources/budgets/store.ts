import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db/index.js'
import type { Owner } from '../../http/index.js'
import { erasedText } from '../audit/index.js'

export type BudgetRow = Selectable<Tables['budgets']>
export type RequestRow = Selectable<Tables['budget_requests']>

export async function insertBudget(
  tx: Tx,
  row: Omit<BudgetRow, 'created_at' | 'updated_at' | 'deleted_at'>,
): Promise<BudgetRow> {
  return await tx
    .insertInto('budgets')
    .values({ ...row, deleted_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Does not find a budget that is deleted, or that `own` may not see. */
export async function findBudget(
  db: Db,
  tenantId: string,
  id: string,
  own: Owner | null,
): Promise<BudgetRow | undefined> {
  return await db
    .selectFrom('budgets')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(isVisibleTo(own))
    .executeTakeFirst()
}

/**
 * A member sees the budgets of the tenant, of teams, tags and sessions, but not those of other people or their
 * keys.
 */
const isVisibleTo = (own: Owner | null) => (eb: ExpressionBuilder<Tables, 'budgets'>) => {
  if (own === null) return eb.val(true)
  const ofScope = (type: BudgetRow['scope_type'], id: string) =>
    eb.and([eb('scope_type', '=', type), eb('scope_id', '=', id)])
  const shared = eb('scope_type', 'in', ['tenant', 'team', 'tag', 'session'])
  if ('keyId' in own) return eb.or([shared, ofScope('key', own.keyId)])
  const keys = eb
    .selectFrom('keys')
    .select('keys.id')
    .whereRef('keys.tenant_id', '=', 'budgets.tenant_id')
    .where('keys.user_id', '=', own.userId)
  return eb.or([
    shared,
    ofScope('user', own.userId),
    eb.and([eb('scope_type', '=', 'key'), eb('scope_id', 'in', keys)]),
  ])
}

/** Also finds a deleted budget: deleting it again succeeds, unlike deleting one that never existed. */
export async function lockBudget(tx: Tx, tenantId: string, id: string): Promise<BudgetRow | undefined> {
  return await tx
    .selectFrom('budgets')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateBudgetRow(
  tx: Tx,
  tenantId: string,
  id: string,
  fields: Partial<BudgetRow>,
): Promise<BudgetRow> {
  return await tx
    .updateTable('budgets')
    .set({ ...fields, updated_at: new Date() })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function listBudgets(
  db: Db,
  tenantId: string,
  page: { own: Owner | null; after: string | null; limit: number },
): Promise<BudgetRow[]> {
  let query = db
    .selectFrom('budgets')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where(isVisibleTo(page.own))
  if (page.after !== null) query = query.where('id', '<', page.after)
  return await query.orderBy('id', 'desc').limit(page.limit).execute()
}

export interface Grant {
  budget_id: string
  granted_period: Date
  granted_nanos: number
}

/** Sums of approved requests by budget and period. */
export async function readGrants(db: Db, tenantId: string, budgetIds: readonly string[]): Promise<Grant[]> {
  if (budgetIds.length === 0) return []
  return await db
    .selectFrom('budget_requests')
    .select([
      'budget_id',
      sql<Date>`granted_period`.as('granted_period'),
      sql<number>`sum(granted_nanos)::bigint`.as('granted_nanos'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('budget_id', 'in', budgetIds)
    .where('status', '=', 'approved')
    .groupBy(['budget_id', 'granted_period'])
    .execute()
}

/** Lists every budget that can refuse a call, for the gateway. */
export async function listBlockingBudgets(db: Db, tenantId: string): Promise<BudgetRow[]> {
  return await db
    .selectFrom('budgets')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where('action', '=', 'block')
    .execute()
}

export async function insertRequest(
  tx: Tx,
  row: Pick<
    RequestRow,
    'id' | 'tenant_id' | 'budget_id' | 'amount_nanos' | 'reason' | 'requested_key' | 'requested_user'
  >,
): Promise<RequestRow> {
  const undecided = {
    decided_key: null,
    decided_user: null,
    decided_at: null,
    note: null,
    granted_nanos: null,
    granted_period: null,
  }
  return await tx
    .insertInto('budget_requests')
    .values({ ...row, ...undecided })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function lockRequest(tx: Tx, tenantId: string, id: string): Promise<RequestRow | undefined> {
  return await tx
    .selectFrom('budget_requests')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateRequestRow(
  tx: Tx,
  tenantId: string,
  id: string,
  fields: Partial<RequestRow>,
): Promise<RequestRow> {
  return await tx
    .updateTable('budget_requests')
    .set(fields)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface RequestFilter {
  /** Only the requests of a user or of a key; null means all of the tenant's. */
  own: Owner | null
  status: RequestRow['status'] | null
  userId: string | null
  budgetId: string | null
  after: string | null
  limit: number
}

export async function listRequests(db: Db, tenantId: string, filter: RequestFilter): Promise<RequestRow[]> {
  let query = db.selectFrom('budget_requests').selectAll().where('tenant_id', '=', tenantId)
  if (filter.own && 'userId' in filter.own) query = query.where('requested_user', '=', filter.own.userId)
  if (filter.own && 'keyId' in filter.own)
    query = query.where('requested_key', '=', filter.own.keyId).where('requested_user', 'is', null)
  if (filter.status !== null) query = query.where('status', '=', filter.status)
  if (filter.userId !== null) query = query.where('requested_user', '=', filter.userId)
  if (filter.budgetId !== null) query = query.where('budget_id', '=', filter.budgetId)
  if (filter.after !== null) query = query.where('id', '<', filter.after)
  return await query.orderBy('id', 'desc').limit(filter.limit).execute()
}

/** Erases what a person wrote in budget requests, and the answers to it. */
export async function eraseRequestTexts(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  await tx
    .updateTable('budget_requests')
    .set({ reason: erasedText, note: null })
    .where('tenant_id', '=', tenantId)
    .where('requested_user', '=', userId)
    .execute()
}
