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
        'Lists budgets, newest first, with their current state: `spentUsd` is the sum of the current period’s receipts, and `reservedUsd` is held by calls in progress. Members see the budgets of the tenant, of teams, tags and sessions, and of their own user and keys.',
      rows: ({ tenantId, filter }) => listBudgets(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      description: `Creates a limit on what a tenant, team, user, key, tag or session may spend in a period. A budget with the action \`block\` is
never exceeded: each call first reserves its maximum cost, and a call that does not fit is refused with 402. Spend from
before the budget was created counts if it belongs to the current period.`,
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
      description:
        'Returns a budget with its current state. Members cannot read the budgets of other users and their keys.',
    },
    update: {
      description:
        'Updates the fields that are sent and leaves all others as they are. The change applies from the next call. If the amount of a `block` budget is below what is already spent, every further call in the period is refused.',
      errors: ['not_found', 'conflict'],
      body: UpdateBudget,
      run: ({ principal, params, body }) => updateBudget(db, principal, params.id, body),
    },
    remove: {
      description: 'Deletes a budget. It no longer limits calls. Deleting a deleted budget also succeeds.',
      run: ({ principal, params }) => deleteBudget(db, principal, params.id),
    },
  })
}
