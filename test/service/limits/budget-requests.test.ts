import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUpstream } from '../../harness/providers/upstream.js'
import { createEndpoint, deliveriesOf } from '../../harness/reporting/webhooks.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let api: Api
let manager: { id: string; api: Api }
let member: { id: string; api: Api }

beforeAll(async () => {
  service = await shareTestService()
  api = service.api
  manager = await makeKey({ role: 'manager' })
  member = await makeKey({ userId: 'ann' })
})
afterAll(() => service.stop())

async function makeKey(fields: object): Promise<{ id: string; api: Api }> {
  const { body } = await api.post('/v1/keys', { name: 'A key', ...fields })
  return { id: body.id, api: service.as(body.key) }
}

let budgets = 0

async function makeBudget(fields: object = {}) {
  const { status, body } = await api.post('/v1/budgets', {
    name: `Budget ${++budgets}`,
    amountUsd: 10,
    action: 'alert',
    ...fields,
  })
  expect(status).toBe(201)
  return body
}

async function file(budgetId: string, amountUsd = 5, by: Api = member.api) {
  const { status, body } = await by.post('/v1/budgets/requests', {
    budgetId,
    amountUsd,
    reason: 'The launch',
  })
  expect(status).toBe(201)
  return body
}

const decide = (id: string, verb: 'approve' | 'deny', body?: object, by: Api = api) =>
  by.post(`/v1/budgets/requests/${id}/${verb}`, body)
const readBudget = async (id: string) => (await api.get(`/v1/budgets/${id}`)).body
const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)

describe('filing', () => {
  test('an endpoint that subscribes to it is notified once, with who asks for what', async () => {
    const receiver = await startUpstream((_, response) => void response.writeHead(204).end())
    const endpoint = await createEndpoint(api, { url: receiver.url, events: ['budget.request_filed'] })
    const budget = await makeBudget()
    const { id } = await file(budget.id, 2.5)
    const deliveries = await waitFor('the delivery', async () => {
      const found = await deliveriesOf(api, endpoint.id)
      return found.length > 0 && found
    })
    expect(deliveries).toHaveLength(1)
    expect(deliveries[0]).toMatchObject({
      event: 'budget.request_filed',
      data: {
        message: `ann requests USD 2.5 more for budget "${budget.name}": The launch`,
        ...{
          request_id: id,
          virtual_key_id: member.id,
          user_id: 'ann',
          amount_usd: 2.5,
          reason: 'The launch',
        },
        budget: { id: budget.id, name: budget.name, scope: budget.scope },
      },
    })
    await api.delete(`/v1/webhook-endpoints/${endpoint.id}`)
    await receiver.close()
  })

  test('a member asks, and the request names the key and its owner', async () => {
    const { id: budgetId } = await makeBudget()
    const request = await file(budgetId, 2.5)
    expect(request).toEqual({
      id: expect.stringMatching(/^breq_[0-9a-z]{26}$/),
      budgetId,
      amountUsd: 2.5,
      grantedUsd: null,
      reason: 'The launch',
      status: 'pending',
      requestedBy: { keyId: member.id, userId: 'ann' },
      decidedBy: null,
      decidedAt: null,
      note: null,
      createdAt: expect.any(String),
    })
    expect(await readBudget(budgetId)).toMatchObject({ grantedUsd: 0, remainingUsd: 10 })
  })

  test('a member sees the requests of its user, a key without an owner its own, a manager all', async () => {
    const { id: budgetId } = await makeBudget()
    const [other, alone, alsoAnn] = await Promise.all([
      makeKey({ userId: 'bob' }),
      makeKey({}),
      makeKey({ userId: 'ann' }),
    ])
    const ids: string[] = []
    for (const by of [member, other, alone, alsoAnn]) ids.unshift((await file(budgetId, 1, by.api)).id)
    const [ofAlsoAnn, ofAlone, ofOther, ofAnn] = ids
    const list = async (by: { api: Api }) =>
      idsOf(await by.api.get('/v1/budgets/requests?limit=4')).filter((id) => ids.includes(id))
    expect(await list(manager)).toEqual(ids)
    expect(await list(member)).toEqual([ofAlsoAnn, ofAnn])
    expect(await list(other)).toEqual([ofOther])
    expect(await list(alone)).toEqual([ofAlone])
  })

  test('a budget that is not there, or no longer, is answered 404', async () => {
    const { id } = await makeBudget()
    await api.delete(`/v1/budgets/${id}`)
    for (const budgetId of ['bud_never', id]) {
      const { body } = await member.api.post('/v1/budgets/requests', { budgetId, amountUsd: 1, reason: 'x' })
      expect(body.error).toEqual({ type: 'not_found', message: 'No such budget', code: 404 })
    }
  })
})

describe('deciding', () => {
  test('a manager approves for less, and the budget has that much more', async () => {
    const { id: budgetId } = await makeBudget()
    const { id } = await file(budgetId, 5)
    const approved = await decide(id, 'approve', { amountUsd: 1.25, note: 'For now' }, manager.api)
    expect(approved.status).toBe(200)
    expect(approved.body).toMatchObject({
      id,
      status: 'approved',
      amountUsd: 5,
      grantedUsd: 1.25,
      note: 'For now',
      decidedBy: { keyId: manager.id, userId: null },
      decidedAt: expect.any(String),
    })
    expect(await readBudget(budgetId)).toMatchObject({ amountUsd: 10, grantedUsd: 1.25, remainingUsd: 11.25 })
  })

  test.each([
    ['no body', undefined],
    ['an empty one', {}],
  ])('an approval with %s grants all of it', async (_, body) => {
    const { id: budgetId } = await makeBudget()
    expect((await decide((await file(budgetId, 5)).id, 'approve', body)).body).toMatchObject({
      grantedUsd: 5,
      note: null,
    })
    expect((await readBudget(budgetId)).grantedUsd).toBe(5)
  })

  test('grants of one period add up', async () => {
    const { id: budgetId } = await makeBudget()
    for (const amountUsd of [0.1, 0.2, 3]) await decide((await file(budgetId, amountUsd)).id, 'approve')
    expect(await readBudget(budgetId)).toMatchObject({ grantedUsd: 3.3, remainingUsd: 13.3 })
  })

  test('nobody can grant more than was asked for, nor nothing, and the request stays open', async () => {
    const { id: budgetId } = await makeBudget()
    const { id } = await file(budgetId, 5)
    for (const amountUsd of [5.000001, 0, -1, 0.0000001]) {
      const { status, body } = await decide(id, 'approve', { amountUsd })
      expect({ amountUsd, status, path: body.error.details[0].path }).toEqual({
        amountUsd,
        status: 400,
        path: 'amountUsd',
      })
    }
    // A body that says nothing is not the same as no body.
    expect((await api.post(`/v1/budgets/requests/${id}/approve`, 'null')).status).toBe(400)
    expect(idsOf(await api.get('/v1/budgets/requests?status=pending&limit=200'))).toContain(id)
    expect((await readBudget(budgetId)).grantedUsd).toBe(0)
    expect((await decide(id, 'approve', { amountUsd: 5 })).status).toBe(200)
  })

  test('a denied request grants nothing', async () => {
    const { id: budgetId } = await makeBudget()
    const { id } = await file(budgetId)
    expect((await decide(id, 'deny')).body).toMatchObject({
      status: 'denied',
      grantedUsd: null,
      decidedBy: { userId: null },
    })
    expect((await readBudget(budgetId)).grantedUsd).toBe(0)
    for (const verb of ['approve', 'deny'] as const) {
      expect((await decide(id, verb)).body.error).toEqual({
        type: 'conflict',
        message: 'The request is already denied',
        code: 409,
      })
    }
  })

  test('a member decides nothing, not even on its own request', async () => {
    const { id } = await file((await makeBudget()).id)
    for (const verb of ['approve', 'deny'] as const)
      expect((await decide(id, verb, undefined, member.api)).status).toBe(403)
  })

  test('a request for a budget that is gone can be denied but not approved', async () => {
    const budget = await makeBudget()
    const { id } = await file(budget.id)
    await api.delete(`/v1/budgets/${budget.id}`)
    expect((await decide(id, 'approve')).body.error).toMatchObject({ type: 'conflict', code: 409 })
    expect((await decide(id, 'deny')).status).toBe(200)
  })

  test('of many managers who decide at once, exactly one does, and what it granted counts once', async () => {
    for (let round = 0; round < 10; round++) {
      const { id: budgetId } = await makeBudget()
      const { id } = await file(budgetId, 5)
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          decide(id, i % 3 ? 'approve' : 'deny', undefined, i % 2 ? manager.api : api),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(11).fill(409)])
      const { status, grantedUsd } = answers.find((answer) => answer.status === 200)?.body ?? {}
      expect((await readBudget(budgetId)).grantedUsd).toBe(status === 'approved' ? 5 : 0)
      expect(grantedUsd).toBe(status === 'approved' ? 5 : null)
      const trail = await service.database.query(
        "select action from audit_log where subject_id = $1 and action <> 'budget_request.create'",
        [id],
      )
      expect(trail).toHaveLength(1)
    }
  })

  test('the list can be narrowed to a status', async () => {
    const { id: budgetId } = await makeBudget()
    const [pending, approved, denied] = [await file(budgetId), await file(budgetId), await file(budgetId)]
    await Promise.all([decide(approved.id, 'approve'), decide(denied.id, 'deny')])
    for (const [status, { id }] of Object.entries({ pending, approved, denied })) {
      const { data } = (await api.get(`/v1/budgets/requests?status=${status}&limit=200`)).body
      expect(data[0].id).toBe(id)
      expect(new Set(data.map((request: { status: string }) => request.status))).toEqual(new Set([status]))
    }
  })
})

describe('a grant', () => {
  const movePeriod = (id: string, start: Date) =>
    service.database.query('update budget_requests set granted_period = $2 where id = $1', [id, start])

  test.each(['daily', 'weekly', 'monthly'])(
    'counts in the %s period of the approval and in no other',
    async (period) => {
      const budget = await makeBudget({ period })
      const { id } = await file(budget.id)
      await decide(id, 'approve')
      expect(await readBudget(budget.id)).toMatchObject({ grantedUsd: 5, remainingUsd: 15 })
      // As it will look when the period is over: the clock is real, so the grant is moved instead.
      const span = Date.parse(budget.periodEnd) - Date.parse(budget.periodStart)
      await movePeriod(id, new Date(Date.parse(budget.periodStart) - span))
      expect(await readBudget(budget.id)).toMatchObject({ grantedUsd: 0, remainingUsd: 10 })
    },
  )

  test('of a total budget counts for good', async () => {
    const budget = await makeBudget({ period: 'total' })
    await decide((await file(budget.id)).id, 'approve')
    expect(await readBudget(budget.id)).toMatchObject({ grantedUsd: 5, remainingUsd: 15, periodEnd: null })
  })
})
