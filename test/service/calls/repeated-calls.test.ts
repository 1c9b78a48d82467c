import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteExpiredIdempotentCalls } from '../../../packages/service/src/calls/model/idempotency/store.js'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import { chatAnswer, chatChunk } from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import { makeGate, readPieces, startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'
import { addTenant } from '../../harness/service/tenant.js'
import { answerChat, chatCall } from '../../harness/service/traffic.js'

let gateway: TestGateway
let made = 0

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.seen.length = 0
  gateway.upstream.answerWith(answerChat)
})

const path = '/v1/chat/completions'
const nextKey = () => `attempt ${++made}`
const plain = chatCall(false)

const send = (
  idempotencyKey: string,
  body: unknown = plain,
  options: { key?: string; path?: string; signal?: AbortSignal } = {},
) => gateway.send(options.path ?? path, body, { ...options, headers: { 'idempotency-key': idempotencyKey } })

/** What a caller sees, less what is about the moment. */
async function seen(response: Response) {
  const headers = Object.fromEntries(response.headers)
  for (const name of Object.keys(headers))
    if (/^(date|connection|keep-alive|transfer-encoding|content-length|x-ratelimit-.*)$/.test(name))
      delete headers[name]
  const { 'idempotent-replayed': replayed = null, ...rest } = headers
  return { replayed, answer: { status: response.status, headers: rest, text: await response.text() } }
}

const countReceipts = async () =>
  (
    await gateway.service.database.query<{ count: number }>(
      `select count(*)::int as count from receipts where canonical::json ->> 'kind' = 'model'`,
    )
  )[0]?.count ?? 0

const rows = () =>
  gateway.service.database.query<Record<string, unknown>>(
    'select * from idempotent_calls order by created_at desc',
  )

/** The next request under the key calls again: the claim of the one before is gone. */
const released = (ofKey: number) =>
  waitFor('the claim to be let go', async () => (await rows()).length === ofKey)

test.each([
  ['a plain call', plain],
  ['a stream', chatCall(true)],
])('%s that is sent again gets the same answer, from no second call', async (_, body) => {
  const key = nextKey()
  const before = await countReceipts()
  const first = await seen(await send(key, body))
  expect(first).toMatchObject({ replayed: null, answer: { status: 200 } })
  expect(first.answer.headers).toHaveProperty('x-tallystick-request-id')
  for (const again of [await seen(await send(key, body)), await seen(await send(key, body))])
    expect(again).toEqual({ replayed: 'true', answer: first.answer })
  expect(gateway.upstream.seen).toHaveLength(1)
  expect(await countReceipts()).toBe(before + 1)
})

test('a plain answer that is given again names the receipt and the cost of the first', async () => {
  const key = nextKey()
  const first = await send(key)
  const again = await send(key)
  for (const name of ['x-tallystick-request-id', 'x-tallystick-receipt', 'x-tallystick-cost-usd'])
    expect(again.headers.get(name)).toBe(first.headers.get(name) ?? 'missing')
})

test('another body or another path with the same key is a conflict, and calls nobody', async () => {
  const key = nextKey()
  await (await send(key)).text()
  for (const other of [
    await send(key, { ...plain, temperature: 1 }),
    await send(key, plain, { path: `${path}?beta=true` }),
    await send(key, { model: 'gpt-4o-mini', input: 'Count this.' }, { path: '/v1/responses' }),
  ]) {
    expect(other.status).toBe(409)
    expect(await other.json()).toMatchObject({
      error: { type: 'conflict', message: expect.stringContaining('Idempotency-Key') },
    })
  }
  expect(gateway.upstream.seen).toHaveLength(1)
})

test('the same key of another virtual key is another call', async () => {
  const key = nextKey()
  const other = await gateway.key()
  await (await send(key)).text()
  expect((await seen(await send(key, plain, { key: other }))).replayed).toBeNull()
  expect((await seen(await send(key, plain, { key: other }))).replayed).toBe('true')
  expect(gateway.upstream.seen).toHaveLength(2)
})

test('nothing is shared with another tenant', async () => {
  const key = nextKey()
  const other = await addTenant(gateway.service, `tenant-${made}`)
  await (await send(key)).text()
  expect((await seen(await send(key, plain, { key: other.managerKey }))).replayed).toBeNull()
  expect(gateway.upstream.seen).toHaveLength(2)
})

test.each(['', ' ', 'x'.repeat(256), 'tab\tinside', 'ümlaut'])('%j is no key', async (value) => {
  const response = await fetch(gateway.service.address + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.service.managerKey}`,
      'content-type': 'application/json',
      'idempotency-key': Buffer.from(value).toString('latin1'),
    },
    body: JSON.stringify(plain),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { details: [{ path: 'idempotency-key', message: expect.stringContaining('1 to 255') }] },
  })
  expect(gateway.upstream.seen).toHaveLength(0)
})

test('the provider does not see it: its own memory is no business of two tenants with one account', async () => {
  await (await send(nextKey())).text()
  expect(gateway.upstream.seen[0]?.headers).not.toHaveProperty('idempotency-key')
})

test('a call without the header leaves no row', async () => {
  const before = (await rows()).length
  await (await gateway.send(path, plain)).text()
  expect(await rows()).toHaveLength(before)
})

describe('twins', () => {
  test('20 at once make one call, and all get its answer', async () => {
    const gate = makeGate()
    gateway.upstream.answerWith(async (request, response) => {
      await gate.passed
      answerChat(request, response)
    })
    const key = nextKey()
    const twins = Array.from({ length: 20 }, async () => await seen(await send(key, chatCall(true))))
    await waitFor('the call at the provider', () => gateway.upstream.seen.length > 0)
    gate.open()
    const answers = await Promise.all(twins)
    expect(gateway.upstream.seen).toHaveLength(1)
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
    expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
  })

  test('when the first fails, another of them calls', async () => {
    gateway.upstream.answerWith((request, response) => {
      if (gateway.upstream.seen.length === 1) sendJson(response, 503, { error: { message: 'busy' } })
      else answerChat(request, response)
    })
    const key = nextKey()
    const answers = await Promise.all(Array.from({ length: 5 }, async () => await seen(await send(key))))
    expect(answers.map(({ answer }) => answer.status).toSorted()).toEqual([200, 200, 200, 200, 503])
    expect(gateway.upstream.seen).toHaveLength(2)
  })
})

describe('what is given again', () => {
  test('an error of the provider that is about the request', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 400, { error: { message: 'no such parameter', type: 'invalid_request_error' } }),
    )
    const key = nextKey()
    const first = await seen(await send(key))
    expect(first.answer.status).toBe(400)
    expect(await seen(await send(key))).toEqual({ replayed: 'true', answer: first.answer })
    expect(gateway.upstream.seen).toHaveLength(1)
  })

  test.each([401, 403, 408, 409, 429, 500, 503])(
    'not %i, which the next try may not meet',
    async (status) => {
      gateway.upstream.answerWith((_, response) =>
        sendJson(response, status, { error: { message: 'not now' } }),
      )
      const key = nextKey()
      const before = (await rows()).length
      await (await send(key)).text()
      await released(before)
      gateway.upstream.answerWith(answerChat)
      const calls = gateway.upstream.seen.length
      expect(await seen(await send(key))).toMatchObject({ replayed: null, answer: { status: 200 } })
      expect(gateway.upstream.seen).toHaveLength(calls + 1)
    },
  )

  test('not a refusal of ours before anything was forwarded', async () => {
    const { body: created } = await gateway.service.api.post('/v1/keys', {
      name: 'narrow',
      allowedModels: ['mock/echo'],
    })
    const key = nextKey()
    const before = (await rows()).length
    expect((await send(key, plain, { key: created.key })).status).toBe(403)
    await released(before)
    expect((await gateway.service.api.patch(`/v1/keys/${created.id}`, { allowedModels: null })).status).toBe(
      200,
    )
    expect((await send(key, plain, { key: created.key })).status).toBe(200)
  })

  test('not a stream that the provider broke off', async () => {
    gateway.upstream.answerWith((_, response) => {
      startEvents(response)(chatChunk({ content: 'half' }))
      response.destroy()
    })
    const key = nextKey()
    const before = (await rows()).length
    expect(await (await send(key, chatCall(true))).text()).toContain('upstream_error')
    await released(before)
    gateway.upstream.answerWith(answerChat)
    expect(await (await send(key, chatCall(true))).text()).toContain('[DONE]')
    expect(gateway.upstream.seen).toHaveLength(2)
  })

  test('that policies do not let an answer be shown, since it was made and is paid for', async () => {
    const { key: ownKey } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', phase: 'output', action: 'block', config: { words: ['unspeakable'] } },
    ])
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: 'An unspeakable word' })),
    )
    const key = nextKey()
    const first = await seen(await send(key, plain, { key: ownKey }))
    expect(first.answer.status).toBe(403)
    expect(await seen(await send(key, plain, { key: ownKey }))).toEqual({
      replayed: 'true',
      answer: first.answer,
    })
    expect(gateway.upstream.seen).toHaveLength(1)
  })

  test('not an answer of more than 4 MiB: its twin is told so', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: 'x'.repeat(4 * 1024 * 1024) })),
    )
    const key = nextKey()
    expect((await seen(await send(key))).answer.status).toBe(200)
    const again = await send(key)
    expect(again.status).toBe(409)
    expect(await again.json()).toMatchObject({ error: { message: expect.stringContaining('4 MiB') } })
    expect(gateway.upstream.seen).toHaveLength(1)
  })
})

describe('under other policies than it was given, an answer is judged again', () => {
  const asked = { ...chatCall(false), messages: [{ role: 'user', content: 'Count to seven.' }] }

  /** A call that was answered, and what adds a policy for its key. */
  async function answered(body: object) {
    const { key, keyId } = await createKeyWithPolicies(gateway, [])
    const idempotencyKey = nextKey()
    const first = await seen(await send(idempotencyKey, body, { key }))
    expect(first).toMatchObject({ replayed: null, answer: { status: 200 } })
    return {
      first,
      again: () => send(idempotencyKey, body, { key }),
      async govern(policy: Record<string, unknown>) {
        const { status, body: made } = await gateway.service.api.post('/v1/policies', {
          ...{ name: `again ${++policyCount}`, scope: { type: 'key', id: keyId }, ...policy },
        })
        expect(status).toBe(201)
        return async () => {
          expect((await gateway.service.api.delete(`/v1/policies/${made.id}`)).status).toBe(204)
        }
      },
    }
  }
  let policyCount = 0

  test.each([
    ['the request', { kind: 'keywords', phase: 'input', config: { words: ['seven'] } }],
    ['the answer', { kind: 'keywords', phase: 'output', config: { words: ['counted'] } }],
    ['the model', { kind: 'model_denylist', config: { models: ['gpt-4o*'] } }],
  ])('and blocked where they forbid %s, with a receipt', async (_, policy) => {
    const { first, again, govern } = await answered(asked)
    const remove = await govern({ ...policy, action: 'block' })
    const receipts = await countReceipts()
    for (let time = 1; time <= 2; time++) {
      const blocked = await again()
      expect(blocked.status).toBe(403)
      expect(await gateway.receiptOf(blocked)).toMatchObject({ outcome: 'blocked', costNanos: 0 })
      expect(await countReceipts()).toBe(receipts + time)
    }
    await remove()
    expect(await seen(await again())).toEqual({ replayed: 'true', answer: first.answer })
    expect(gateway.upstream.seen).toHaveLength(1)
  })

  test('and redacted', async () => {
    const { again, govern } = await answered(asked)
    await govern({ kind: 'keywords', phase: 'output', action: 'redact', config: { words: ['counted'] } })
    const { replayed, answer } = await seen(await again())
    expect({ replayed, status: answer.status }).toEqual({ replayed: 'true', status: 200 })
    expect(JSON.parse(answer.text).choices[0].message.content).toBe('[KEYWORD_1].')
    expect(gateway.upstream.seen).toHaveLength(1)
  })

  test('and passed on where they have no objection, at no cost', async () => {
    const { first, again, govern } = await answered(asked)
    await govern({ kind: 'keywords', phase: 'both', action: 'block', config: { words: ['nightfall'] } })
    const response = await again()
    expect(await gateway.receiptOf(response)).toMatchObject({ outcome: 'ok', costNanos: 0 })
    const { replayed, answer } = await seen(response)
    expect({ replayed, text: answer.text }).toEqual({ replayed: 'true', text: first.answer.text })
    expect(gateway.upstream.seen).toHaveLength(1)
  })

  test('also if it is a stream', async () => {
    const { again, govern } = await answered(chatCall(true))
    await govern({ kind: 'keywords', phase: 'output', action: 'block', config: { words: ['counted'] } })
    const text = await (await again()).text()
    expect(text).not.toContain('Coun')
    expect(text).toContain('policy_violation')
    expect(gateway.upstream.seen).toHaveLength(1)
  })

  test('also if it is an error of the provider', async () => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 400, { error: { message: 'Do not say nightfall', type: 'invalid_request_error' } }),
    )
    const { key, keyId } = await createKeyWithPolicies(gateway, [])
    const idempotencyKey = nextKey()
    expect((await send(idempotencyKey, asked, { key })).status).toBe(400)
    await gateway.service.api.post('/v1/policies', {
      ...{ name: `again ${++policyCount}`, kind: 'keywords', phase: 'output', action: 'redact' },
      ...{ scope: { type: 'key', id: keyId }, config: { words: ['nightfall'] } },
    })
    const again = await send(idempotencyKey, asked, { key })
    expect(again.status).toBe(400)
    expect(await again.text()).toContain('Do not say [KEYWORD_1]')
    expect(gateway.upstream.seen).toHaveLength(1)
  })
})

describe('a caller that hangs up', () => {
  test('comes back for the answer that it did not wait for', async () => {
    const gate = makeGate()
    gateway.upstream.answerWith(async (request, response) => {
      await gate.passed
      answerChat(request, response)
    })
    const key = nextKey()
    const leaving = new AbortController()
    const left = send(key, plain, { signal: leaving.signal })
    await waitFor('the call at the provider', () => gateway.upstream.seen.length === 1)
    leaving.abort()
    await expect(left).rejects.toThrow()
    await gateway.noticeHangUp()
    const back = send(key)
    gate.open()
    expect(await seen(await back)).toMatchObject({ replayed: 'true', answer: { status: 200 } })
    expect(gateway.upstream.seen).toHaveLength(1)
  })

  test('in the middle of a stream, too', async () => {
    const gate = makeGate()
    gateway.upstream.answerWith(async (_, response) => {
      const write = startEvents(response)
      write(chatChunk({ content: 'first' }))
      await gate.passed
      write(chatChunk({ content: 'second' }, 'stop'))
      write('[DONE]')
      response.end()
    })
    const key = nextKey()
    const pieces = readPieces(await send(key, chatCall(true)))
    await pieces.until((text) => text.includes('first'))
    await pieces.cancel()
    await gateway.noticeHangUp()
    gate.open()
    const { replayed, answer } = await seen(await send(key, chatCall(true)))
    expect(replayed).toBe('true')
    expect(answer.text).toMatch(/first.*second.*\[DONE\]/s)
    expect(gateway.upstream.seen).toHaveLength(1)
  })
})

describe('what is kept', () => {
  test('can be read by nobody who has the database', async () => {
    const key = `a private name ${nextKey()}`
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, chatAnswer({ content: 'a private answer' })),
    )
    await (await send(key, { ...plain, user: 'a private question' })).text()
    await (await send(key, { ...plain, user: 'a private question' })).text()
    const [row] = await rows()
    expect(row).toMatchObject({ state: 'answered', sealed: expect.any(Buffer) })
    for (const value of Object.values(row ?? {}))
      expect(Buffer.isBuffer(value) ? value.toString('latin1') : String(value)).not.toContain('private')
  })

  test('is gone after 24 hours, for callers before it is deleted', async () => {
    const key = nextKey()
    await (await send(key)).text()
    expect((await seen(await send(key))).replayed).toBe('true')
    const age = (by: string) =>
      gateway.service.database.query(`update idempotent_calls set created_at = created_at - interval '${by}'`)
    await age('23 hours 50 minutes')
    expect((await seen(await send(key))).replayed).toBe('true')
    await age('10 minutes')
    expect((await seen(await send(key, { ...plain, temperature: 1 }))).replayed).toBeNull()
    expect(gateway.upstream.seen).toHaveLength(2)

    const count = (await rows()).length
    await gateway.service.database.query(
      `update idempotent_calls set created_at = now() - interval '24 hours' where created_at > now() - interval '23 hours'`,
    )
    const database = openDatabase(gateway.service.database.url, () => undefined)
    expect(count).toBeGreaterThan(0)
    expect(await deleteExpiredIdempotentCalls(database.db)).toBe(false)
    await database.close()
    expect(await rows()).toHaveLength(0)
  })

  test('is erased with the data of its user, also while the call is under way', async () => {
    const ownKey = await gateway.key({ userId: 'erika' })
    const key = nextKey()
    const later = nextKey()
    await (await send(key, plain, { key: ownKey })).text()
    expect((await seen(await send(key, plain, { key: ownKey }))).replayed).toBe('true')
    const gate = makeGate()
    gateway.upstream.answerWith(async (request, response) => {
      await gate.passed
      answerChat(request, response)
    })
    const underWay = send(later, plain, { key: ownKey })
    await waitFor('the call at the provider', () => gateway.upstream.seen.length === 2)
    expect((await gateway.service.api.post('/v1/compliance/erasures', { userId: 'erika' })).body.status).toBe(
      'done',
    )
    gate.open()
    expect((await underWay).status).toBe(200)
    for (const each of [key, later]) {
      const again = await send(each, plain, { key: ownKey })
      expect(again.status).toBe(409)
      expect(await again.json()).toMatchObject({ error: { message: expect.stringContaining('not stored') } })
    }
    expect(
      await gateway.service.database.query(
        `select from idempotent_calls where user_id = 'erika' and sealed is not null`,
      ),
    ).toEqual([])
  })

  test('is not shown to a caller that may no longer call', async () => {
    const { body: created } = await gateway.service.api.post('/v1/keys', { name: 'Ends', userId: 'sus' })
    const key = nextKey()
    await (await send(key, plain, { key: created.key })).text()
    expect((await gateway.service.api.patch('/v1/user-limits/sus', { status: 'suspended' })).status).toBe(200)
    expect((await send(key, plain, { key: created.key })).status).toBe(403)
    expect((await gateway.service.api.delete(`/v1/keys/${created.id}`)).status).toBe(204)
    expect((await send(key, plain, { key: created.key })).status).toBe(401)
  })
})
