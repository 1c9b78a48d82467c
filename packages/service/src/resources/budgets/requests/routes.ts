import { Type } from 'typebox'
import {
  allowNoBody,
  ById,
  defineResource,
  type ManagementApi,
  presentEach,
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
    present: presentEach(presentRequest),
    list: {
      access: 'member',
      description:
        'Lists requests for more budget, newest first. Managers and auditors see every request of the tenant. Members see only their own requests.',
      filters: {
        status: Type.Optional(RequestStatus),
        userId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 128,
            description: 'Return only requests filed by this user',
          }),
        ),
        budgetId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'Return only requests for this budget' }),
        ),
      },
      rows: ({ tenantId, filter }) => listRequests(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      access: 'member',
      summary: 'Request more budget',
      description:
        'Files a request for more budget. A manager can approve it, for the full amount or for less, or deny it.',
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
          'Approves a request and adds the granted amount to the current period of the budget. Without `amountUsd`, the full amount is granted. A request that is already decided fails with 409.',
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
        description:
          'Denies a request. A request that is already decided fails with 409. This operation takes no body.',
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
