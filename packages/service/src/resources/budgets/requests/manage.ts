import { type Db, inTransaction, newId, type Tx } from '../../../db/index.js'
import { ownerFilter, type Principal, requireAmount, toNanos, toUsd } from '../../../http/index.js'
import { conflict, invalidField, notFound } from '../../../shared/errors.js'
import { type Actor, recordChange } from '../../audit/index.js'
import { presentRequest } from '../present.js'
import type { ApproveRequest, CreateBudgetRequest } from '../schema.js'
import { periodAt } from '../spend/period.js'
import {
  type BudgetRow,
  findBudget,
  insertRequest,
  lockBudget,
  lockRequest,
  type RequestRow,
  readGrants,
  updateRequestRow,
} from '../store.js'

export interface NewBudgetRequest {
  request: RequestRow
  budget: BudgetRow
}

/** Writes what a new request triggers, in the transaction that creates it. */
export type OnCreated = (tx: Tx, filed: NewBudgetRequest) => Promise<void>

/** Any key may request more for a budget that it sees; a manager decides. */
export async function createRequest(
  db: Db,
  principal: Principal,
  input: CreateBudgetRequest,
  onFiled: OnCreated,
): Promise<RequestRow> {
  const amountNanos = toNanos(input.amountUsd, 'amountUsd')
  return await inTransaction(db, async (tx) => {
    const budget = await findBudget(tx, principal.tenantId, input.budgetId, ownerFilter(principal))
    if (!budget) throw notFound('budget')
    const row = await insertRequest(tx, {
      id: newId('breq'),
      tenant_id: principal.tenantId,
      budget_id: budget.id,
      amount_nanos: amountNanos,
      reason: input.reason,
      requested_key: principal.keyId,
      requested_user: principal.userId,
    })
    await recordChange(tx, principal, {
      action: 'budget_request.create',
      subjectId: row.id,
      before: null,
      after: presentRequest(row),
    })
    await onFiled(tx, { request: row, budget })
    return row
  })
}

/** Raises the budget only in the period of the decision. A manager may grant less than was requested. */
export async function approveRequest(
  db: Db,
  actor: Actor,
  id: string,
  input: ApproveRequest,
): Promise<RequestRow> {
  return await decideRequest(db, actor, id, 'approved', async (tx, request) => {
    const budget = await lockBudget(tx, actor.tenantId, request.budget_id)
    if (!budget || budget.deleted_at) throw conflict('The budget of this request is deleted')
    const grantedNanos =
      input.amountUsd === undefined ? request.amount_nanos : toNanos(input.amountUsd, 'amountUsd')
    if (grantedNanos > request.amount_nanos) {
      throw invalidField('amountUsd', `must be at most what was asked for, ${toUsd(request.amount_nanos)}`)
    }
    const period = new Date(periodAt(budget.period, new Date()).startMs)
    const grants = await readGrants(tx, actor.tenantId, [budget.id])
    const granted = grants.find((grant) => grant.granted_period.getTime() === period.getTime())
    const inAll = budget.amount_nanos + (granted?.granted_nanos ?? 0) + grantedNanos
    requireAmount(inAll, 'The budget with what was granted')
    return {
      granted_nanos: grantedNanos,
      granted_period: period,
      note: input.note ?? null,
    }
  })
}

export async function denyRequest(db: Db, actor: Actor, id: string): Promise<RequestRow> {
  return await decideRequest(db, actor, id, 'denied', async () => ({}))
}

/**
 * A request is decided once: of two concurrent decisions one waits for the row's lock and then finds the request
 * decided.
 */
async function decideRequest(
  db: Db,
  actor: Actor,
  id: string,
  status: 'approved' | 'denied',
  outcome: (tx: Tx, request: RequestRow) => Promise<Partial<RequestRow>>,
): Promise<RequestRow> {
  return await inTransaction(db, async (tx) => {
    const before = await lockRequest(tx, actor.tenantId, id)
    if (!before) throw notFound('budget request')
    if (before.status !== 'pending') throw conflict(`The request is already ${before.status}`)
    const after = await updateRequestRow(tx, actor.tenantId, id, {
      ...(await outcome(tx, before)),
      status,
      decided_key: actor.keyId,
      decided_user: actor.userId,
      decided_at: new Date(),
    })
    await recordChange(tx, actor, {
      action: status === 'approved' ? 'budget_request.approve' : 'budget_request.deny',
      subjectId: id,
      before: presentRequest(before),
      after: presentRequest(after),
    })
    return after
  })
}
