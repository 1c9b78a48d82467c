import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { notFound } from '../../errors.js'
import {
  type App,
  ById,
  type Cursors,
  ownerFilter,
  Page,
  PageQuery,
  principalOf,
  readPage,
  strict,
} from '../../http/index.js'
import type { SpendAccount } from '../../spend-account.js'
import { answerOnce } from '../idempotency/index.js'
import { createBudget, deleteBudget, updateBudget } from './manage.js'
import { periodAt } from './period.js'
import { forMember, presentBudgets, type ReadReserved } from './present.js'
import { Budget, CreateBudget, UpdateBudget } from './schema.js'
import { type BudgetRow, findBudget, listBudgets } from './store.js'

export interface BudgetRoutesOptions {
  db: Db
  cursors: Cursors
  readReserved: ReadReserved
  /** Called after a change is committed, so that this replica acts on it before it answers. */
  onChange(tenantId: string): void
}

const tags = ['Budgets']

/** What a new budget will limit. */
const accountOf = (tenantId: string, { scope, period = 'monthly' }: CreateBudget): SpendAccount => ({
  scopeType: scope?.type ?? 'tenant',
  scopeId: scope?.id ?? tenantId,
  ...periodAt(period, new Date()),
})

export function registerBudgetRoutes(
  app: App,
  { db, cursors, readReserved, onChange }: BudgetRoutesOptions,
): void {
  async function present(row: BudgetRow, by = { db, readReserved }): Promise<Budget> {
    const [budget] = await presentBudgets(by.db, row.tenant_id, [row], by.readReserved)
    if (!budget) throw notFound('budget')
    return budget
  }

  app.get(
    '/v1/budgets',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listBudgets',
        summary: 'List budgets',
        description:
          'Newest first, each with its current state: spent is the sum of the current period’s receipts, reserved is held by calls in progress. A member sees those of the tenant, of teams, tags and sessions, and those of its own user and keys.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(Budget, 'BudgetPage') },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const own = ownerFilter(principal)
      const page = await readPage({
        query: request.query,
        scope: `budgets ${tenantId} ${JSON.stringify(own)}`,
        cursors,
        fetch: (page) => listBudgets(db, tenantId, { own, ...page }),
        position: (row) => row.id,
        present: (row) => row,
      })
      const data = await presentBudgets(db, tenantId, page.data, readReserved)
      return { ...page, data: own === null ? data : data.map(forMember) }
    },
  )

  app.post(
    '/v1/budgets',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'createBudget',
        summary: 'Create a budget',
        description: `Limits what a tenant, team, user, key, tag or session may spend in a period. A \`block\` budget is never exceeded: each call
reserves its worst case first, and a call that does not fit is refused with 402. Spend of the current period from before the
budget was created counts.`,
        body: CreateBudget,
        response: { 201: Budget },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      let reserved = 0
      const created = await answerOnce(
        db,
        request,
        async (db) => {
          const row = await createBudget(db, principal, request.body)
          return await present(row, { db, readReserved: async () => reserved })
        },
        async () => {
          reserved = await readReserved(tenantId, accountOf(tenantId, request.body))
        },
      )
      onChange(principal.tenantId)
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/v1/budgets/:id',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getBudget',
        summary: 'Read a budget',
        description: 'A member does not see the budgets of other users and their keys.',
        params: ById,
        response: { 200: Budget },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const own = ownerFilter(principal)
      const row = await findBudget(db, principal.tenantId, request.params.id, own)
      if (!row) throw notFound('budget')
      const budget = await present(row)
      return own === null ? budget : forMember(budget)
    },
  )

  app.patch(
    '/v1/budgets/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'updateBudget',
        summary: 'Change a budget',
        description:
          'Applies from the next call. An amount below what is already spent refuses every further call of the period.',
        params: ById,
        body: UpdateBudget,
        response: { 200: Budget },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await updateBudget(db, principal, request.params.id, request.body)
      onChange(principal.tenantId)
      return await present(row)
    },
  )

  app.delete(
    '/v1/budgets/:id',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'deleteBudget',
        summary: 'Delete a budget',
        description: 'Deleting again is fine.',
        params: ById,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await deleteBudget(db, principal, request.params.id)
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
