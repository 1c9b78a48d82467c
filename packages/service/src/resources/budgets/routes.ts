import { ById, defineResource, type ManagementApi } from '../../http/index.js'
import type { SpendAccount } from '../../shared/spend-account.js'
import { createBudget, deleteBudget, updateBudget } from './manage.js'
import { forMember, presentBudgets, type ReadReserved } from './present.js'
import { Budget, CreateBudget, UpdateBudget } from './schema.js'
import { periodAt } from './spend/period.js'
import { type BudgetRow, findBudget, listBudgets } from './store.js'

export interface BudgetRoutesOptions {
  readReserved: ReadReserved
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
}

/** Returns the account that a new budget limits. */
const accountOf = (tenantId: string, { scope, period = 'monthly' }: CreateBudget): SpendAccount => ({
  scopeType: scope?.type ?? 'tenant',
  scopeId: scope?.id ?? tenantId,
  ...periodAt(period, new Date()),
})

export function registerBudgetRoutes(
  api: ManagementApi,
  { readReserved, onChange }: BudgetRoutesOptions,
): void {
  const { db } = api
  defineResource(api, {
    path: '/v1/budgets',
    params: ById,
    tag: 'Budgets',
    one: 'a budget',
    many: 'budgets',
    item: Budget,
    async present(rows: readonly BudgetRow[], { tenantId, own }) {
      const budgets = await presentBudgets(db, tenantId, rows, readReserved)
      return own === null ? budgets : budgets.map(forMember)
    },
    find: ({ tenantId, params, own }) => findBudget(db, tenantId, params.id, own),
    onChange,
    list: {
      access: 'member',
      description:
        'Newest first, each with its current state: spent is the sum of the current period’s receipts, reserved is held by calls in progress. A member sees those of the tenant, of teams, tags and sessions, and those of its own user and keys.',
      rows: ({ tenantId, filter }) => listBudgets(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      description: `Limits what a tenant, team, user, key, tag or session may spend in a period. A \`block\` budget is never exceeded: each call
reserves its worst case first, and a call that does not fit is refused with 402. Spend of the current period from before the
budget was created counts.`,
      errors: ['not_found', 'conflict'],
      body: CreateBudget,
      answer: Budget,
      async run({ principal, tenantId, body }) {
        const reserved = await readReserved(tenantId, accountOf(tenantId, body))
        return async (db) => {
          const row = await createBudget(db, principal, body)
          const [budget] = await presentBudgets(db, tenantId, [row], async () => reserved)
          if (!budget) throw new Error('every row of a budget is presented')
          return budget
        }
      },
    },
    read: {
      access: 'member',
      description: 'A member does not see the budgets of other users and their keys.',
    },
    update: {
      description:
        'Applies from the next call. An amount below what is already spent refuses every further call of the period.',
      errors: ['not_found', 'conflict'],
      body: UpdateBudget,
      run: ({ principal, params, body }) => updateBudget(db, principal, params.id, body),
    },
    remove: {
      description: 'Deleting again is fine.',
      run: ({ principal, params }) => deleteBudget(db, principal, params.id),
    },
  })
}
