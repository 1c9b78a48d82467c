import { Type } from 'typebox'
import {
  allowNoBody,
  ById,
  defineResource,
  each,
  type ManagementApi,
  principalOf,
} from '../../../http/index.js'
import { answerOnce } from '../../idempotency/index.js'
import { presentRequest } from '../present.js'
import { ApproveRequest, BudgetRequest, CreateBudgetRequest, RequestStatus } from '../schema.js'
import { listRequests } from '../store.js'
import { approveRequest, createRequest, denyRequest, type OnCreated } from './manage.js'

const tag = 'Budgets'

export interface RequestRoutesOptions {
  /** Called after a budget was changed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
  onFiled: OnCreated
}

export function registerBudgetRequestRoutes(
  api: ManagementApi,
  { onChange, onFiled }: RequestRoutesOptions,
): void {
  const { app, db } = api
  defineResource(api, {
    path: '/v1/budgets/requests',
    tag,
    one: 'a budget request',
    many: 'budget requests',
    item: BudgetRequest,
    present: each(presentRequest),
    list: {
      access: 'member',
      description:
        'Newest first. Managers and auditors see every request of the tenant, a member only its own.',
      filters: {
        status: Type.Optional(RequestStatus),
        userId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 128, description: 'Only requests that this user filed' }),
        ),
        budgetId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'Only requests for this budget' }),
        ),
      },
      rows: ({ tenantId, filter }) => listRequests(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      access: 'member',
      summary: 'Request more budget',
      description: 'Members and managers request; a manager approves it, perhaps for less, or denies it.',
      errors: ['not_found'],
      body: CreateBudgetRequest,
      answer: BudgetRequest,
      run:
        ({ principal, body }) =>
        async (db) =>
          presentRequest(await createRequest(db, principal, body, onFiled)),
    },
  })

  app.post(
    '/v1/budgets/requests/:id/approve',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found', 'conflict'] },
      preValidation: allowNoBody,
      schema: {
        tags: [tag],
        operationId: 'approveBudgetRequest',
        summary: 'Approve a budget request',
        description:
          'Adds to the budget in its current period, in the same transaction. Without `amountUsd` the whole amount is granted. Decided once: a second decision is a 409.',
        params: ById,
        body: ApproveRequest,
        response: { 200: BudgetRequest },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const approved = await answerOnce(db, request, async (db) =>
        presentRequest(await approveRequest(db, principal, request.params.id, request.body)),
      )
      onChange(principal.tenantId)
      return approved
    },
  )

  app.post(
    '/v1/budgets/requests/:id/deny',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found', 'conflict'] },
      schema: {
        tags: [tag],
        operationId: 'denyBudgetRequest',
        summary: 'Deny a budget request',
        description: 'Decided once: a second decision is a 409. Takes no body.',
        params: ById,
        response: { 200: BudgetRequest },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      return await answerOnce(db, request, async (db) =>
        presentRequest(await denyRequest(db, principal, request.params.id)),
      )
    },
  )
}
