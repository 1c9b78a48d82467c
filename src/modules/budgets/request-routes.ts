import { Type } from 'typebox'
import {
  type App,
  allowNoBody,
  ById,
  ownerFilter,
  Page,
  PageQuery,
  principalOf,
  readPage,
  strict,
} from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import { approveRequest, createRequest, denyRequest, type OnFiled } from './manage-requests.js'
import { presentRequest } from './present.js'
import type { BudgetRoutesOptions } from './routes.js'
import { ApproveRequest, BudgetRequest, CreateBudgetRequest, RequestStatus } from './schema.js'
import { listRequests } from './store.js'

const tags = ['Budgets']

export interface RequestRoutesOptions extends BudgetRoutesOptions {
  onFiled: OnFiled
}

export function registerBudgetRequestRoutes(
  app: App,
  { db, cursors, onChange, onFiled }: RequestRoutesOptions,
): void {
  app.get(
    '/v1/budgets/requests',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listBudgetRequests',
        summary: 'List budget requests',
        description:
          'Newest first. Managers and auditors see every request of the tenant, a member only its own.',
        querystring: Type.Object(
          {
            ...PageQuery,
            status: Type.Optional(RequestStatus),
            userId: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 128,
                description: 'Only requests that this user filed',
              }),
            ),
            budgetId: Type.Optional(
              Type.String({ minLength: 1, maxLength: 64, description: 'Only requests for this budget' }),
            ),
          },
          strict,
        ),
        response: { 200: Page(BudgetRequest, 'BudgetRequestPage') },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const own = ownerFilter(principal)
      const { status = null, userId = null, budgetId = null } = request.query
      const filter = { own, status, userId, budgetId }
      return await readPage({
        query: request.query,
        scope: `budget-requests ${principal.tenantId} ${JSON.stringify(filter)}`,
        cursors,
        fetch: (page) => listRequests(db, principal.tenantId, { ...filter, ...page }),
        position: (row) => row.id,
        present: presentRequest,
      })
    },
  )

  app.post(
    '/v1/budgets/requests',
    {
      config: { access: 'member', idempotent: true, errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'createBudgetRequest',
        summary: 'Request more budget',
        description: 'Members and managers request; a manager approves it, perhaps for less, or denies it.',
        body: CreateBudgetRequest,
        response: { 201: BudgetRequest },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const filed = await answerOnce(db, request, async (db) =>
        presentRequest(await createRequest(db, principal, request.body, onFiled)),
      )
      return reply.code(201).send(filed)
    },
  )

  app.post(
    '/v1/budgets/requests/:id/approve',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found', 'conflict'] },
      preValidation: allowNoBody,
      schema: {
        tags,
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
        tags,
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
