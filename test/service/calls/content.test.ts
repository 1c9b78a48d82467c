import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cut, dialectNames, say, sendEvents, spoken } from '../../harness/policies/dialect-texts.js'
import { sendJson, startEvents } from '../../harness/providers/upstream.js'
import { chatChunk, embeddingAnswer } from '../../harness/providers/vendor-answers.js'
import { waitFor } from '../../harness/run/wait.js'
import { makeGate, readPieces, startTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'
import { addTenant } from '../../harness/service/tenant.js'

// What is kept of what calls say: the right things, in the right mode, for the right readers, and nothing else.

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const setting = '/v1/settings/content-capture'

async function capture(mode: 'off' | 'redacted' | 'full', retentionDays = 30): Promise<void> {
  const { status } = await gateway.service.api.put(setting, { mode, retentionDays })
  expect(status).toBe(200)
}

const idOf = (response: Response): string => response.headers.get('x-tallystick-request-id') ?? ''

/** As a manager reads it, once it is stored. */
async function contentOf(response: Response) {
  return await waitFor('the content', async () => {
    const { status, body } = await gateway.service.api.get(`/v1/calls/${idOf(response)}/content`)
    // The receipt of a call whose caller has left comes by itself.
    return status === 404 || body.state === 'pending' ? null : body
  })
}

/** The two sides of a call that is over. */
async function sidesOf(response: Response) {
  const { state, attempts } = await contentOf(response)
  expect(state).toBe('captured')
  expect(attempts).toHaveLength(1)
  return attempts[0]
}

const { chat } = spoken

describe.each(dialectNames)('%s', (dialect) => {
  const { path, body, whole, readWhole } = spoken[dialect]

  test('in full, the request is kept as it was sent, the answer as it was seen, a stream as one answer', async () => {
    await capture('full')
    gateway.upstream.answerWith(say(dialect, 'It is said.'))
    const sent = body({ temperature: 0.25 })
    const plain = await gateway.send(path, sent)
    expect(await plain.json()).toEqual(whole('It is said.'))
    expect(await sidesOf(plain)).toEqual({
      attempt: 1,
      request: { body: sent, text: null, bytes: JSON.stringify(sent).length, truncated: false, note: null },
      answer: {
        body: whole('It is said.'),
        text: null,
        bytes: JSON.stringify(whole('It is said.')).length,
        truncated: false,
        note: null,
      },
    })

    const streamed = await gateway.send(path, body({ stream: true }))
    await streamed.text()
    const { request, answer } = await sidesOf(streamed)
    expect(request.body).toEqual(body({ stream: true }))
    expect(answer).toMatchObject({ truncated: false, note: null })
    expect(readWhole(answer.body)).toBe('It is said.')
  })

  test('what a policy takes out and puts back for the caller is kept in full mode alone', async () => {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'pii', config: { entities: ['email'], restore: true }, action: 'redact', phase: 'both' },
    ])
    const asked = JSON.parse(JSON.stringify(body()).replace('Say it.', 'Write to jane@example.com.'))
    for (const mode of ['redacted', 'full'] as const) {
      await capture(mode)
      gateway.upstream.answerWith(say(dialect, 'Dear [EMAIL_1] and joe@example.com!', { pieceChars: 3 }))
      for (const stream of [false, true]) {
        const response = await gateway.send(path, { ...asked, stream }, { key })
        const seen = await response.text()
        if (!stream) expect(seen).toContain('jane@example.com')
        const { request, answer } = await sidesOf(response)
        const said = readWhole(answer.body)
        expect(said).toBe(
          mode === 'full' ? 'Dear jane@example.com and [EMAIL_2]!' : 'Dear [EMAIL_1] and [EMAIL_2]!',
        )
        expect(JSON.stringify(request.body).includes('jane')).toBe(mode === 'full')
        expect(JSON.stringify(answer.body)).not.toContain('joe@')
      }
    }
  })

  test('in redacted mode, nothing that a policy redacts is kept, wherever it stands', async () => {
    await capture('redacted')
    const word = 'nightfall7'
    const hidden = [word, Buffer.from(`The word is ${word}!`).toString('base64'), `{"a":"night\\u0066all7"}`]
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: [word] }, action: 'redact', phase: 'both' },
    ])
    const places = (text: string): Record<string, unknown>[] => [
      JSON.parse(JSON.stringify(body()).replace('"Say it."', () => JSON.stringify(`Please: ${text}`))),
      body({ metadata: { ticket: text } }),
      body({ [text]: 1 }),
      body({
        tools: [
          {
            type: 'function',
            name: 'f',
            function: { name: 'f', description: text },
            description: text,
            input_schema: {},
          },
        ],
      }),
    ]
    const calls = hidden.flatMap(places).flatMap((each) => [each, { ...each, stream: true }])
    let reached = 0
    gateway.upstream.answerWith((request, response) => {
      reached++
      return say(dialect, `You said ${hidden.join(' and ')}.`, { pieceChars: 2 })(request, response)
    })
    const responses = await Promise.all(calls.map((each) => gateway.send(path, each, { key })))
    for (const response of responses) await response.text()
    for (const response of responses) {
      const kept = JSON.stringify(await contentOf(response))
      for (const form of [...hidden, JSON.stringify(hidden[2]).slice(1, -1)]) expect(kept).not.toContain(form)
    }
    // Some are refused, since not everything can be redacted; most are not.
    expect(reached).toBeGreaterThan(calls.length / 3)
  })

  test('of a stream that was cut, what was sent is kept, with a word', async () => {
    await capture('full')
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall7'] }, action: 'block', phase: 'output' },
    ])
    const pieces = [...cut('All is well. '.repeat(100), 50), 'The word is nightfall7.']
    const text = pieces.join('')
    const events = spoken[dialect].stream(pieces)
    const rest = events.lastIndexOf('\n\n', events.indexOf('The word')) + 2
    const gate = makeGate()
    gateway.upstream.answerWith(async ({ body: asked }, response) => {
      if (!asked.stream) return sendJson(response, 200, whole(text))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.slice(0, rest))
      await gate.passed
      response.end(events.slice(rest))
    })
    const blocked = await gateway.send(path, body({ stream: true }), { key })
    const reading = readPieces(blocked)
    await reading.until((seen) => seen.includes('All is well'))
    gate.open()
    expect(await reading.until(() => false)).not.toContain('nightfall7')
    const { answer } = await sidesOf(blocked)
    expect(answer.note).toMatch(/only this part/)
    const said: string = readWhole(answer.body)
    expect(said.length).toBeGreaterThan(100)
    expect(text.startsWith(said)).toBe(true)
    expect(text).not.toBe(said)

    const hidden = await gateway.send(path, body(), { key })
    expect(hidden.status).toBe(403)
    expect((await sidesOf(hidden)).answer.body).toEqual(await hidden.json())
  })
})

test('of a call that was refused, redacted mode keeps nothing, and full mode the request', async () => {
  const { key } = await createKeyWithPolicies(gateway, [
    { kind: 'keywords', config: { words: ['nightfall7'] }, action: 'block', phase: 'input' },
  ])
  const asked = chat.body({ messages: [{ role: 'user', content: 'nightfall7 and harmless' }] })
  await capture('redacted')
  const blocked = await gateway.send(chat.path, asked, { key })
  expect(blocked.status).toBe(403)
  const { request, answer } = await sidesOf(blocked)
  expect(request).toMatchObject({ body: null, text: '', note: expect.stringContaining('not forwarded') })
  expect(answer).toBeNull()

  await capture('full')
  const again = await gateway.send(chat.path, asked, { key })
  const kept = await sidesOf(again)
  expect(kept.request.body).toEqual(asked)
  expect(kept.answer.body).toEqual(await again.json())
})

test('a caller that hangs up leaves what it was sent; one that is gone before the answer leaves none', async () => {
  await capture('full')
  const gate = makeGate()
  gateway.upstream.answerWith(async (_, response) => {
    const send = startEvents(response)
    send(chatChunk({ content: 'First half.' }))
    await gate.passed
    send(chatChunk({ content: 'Second half.' }, 'stop'))
    send('[DONE]')
    response.end()
  })
  const left = await gateway.send(chat.path, chat.body({ stream: true }))
  const pieces = readPieces(left)
  await pieces.until((text) => text.includes('First half.'))
  await pieces.cancel()
  await gateway.noticeHangUp()
  gate.open()
  const { answer } = await sidesOf(left)
  expect(answer.body.choices[0].message.content).toBe('First half.')
  expect(answer.note).toMatch(/only this part/)
})

test('of a stream whose key is revoked, what was sent until then is kept', async () => {
  await capture('full')
  gateway.upstream.answerWith((_, response) => {
    startEvents(response)(chatChunk({ content: 'So far.' }))
  })
  const { body: made } = await gateway.service.api.post('/v1/keys', { name: 'short' })
  const response = await gateway.send(chat.path, chat.body({ stream: true }), { key: made.key })
  const reading = readPieces(response)
  await reading.until((text) => text.includes('So far.'))
  await gateway.service.api.delete(`/v1/keys/${made.id}`)
  expect(await reading.until(() => false)).toContain('unauthorized')
  const { answer } = await sidesOf(response)
  expect(chat.readWhole(answer.body)).toBe('So far.')
  expect(answer.note).toMatch(/only this part/)
})

test('what is too long is cut at a character, and says how long it was', async () => {
  await capture('full')
  const long = 'ö€🙂'.repeat(30_000)
  gateway.upstream.answerWith(async (request, response) => {
    if (request.body.stream) await sendEvents(response, chat.stream(cut(long, 3_000)))
    else sendJson(response, 200, chat.whole(long))
  })
  for (const stream of [false, true]) {
    const response = await gateway.send(
      chat.path,
      chat.body({ stream, messages: [{ role: 'user', content: long }] }),
    )
    await response.text()
    for (const side of Object.values(await sidesOf(response))) {
      if (typeof side !== 'object' || side === null) continue
      const { text, body, bytes, truncated } = side as {
        text: string
        body: unknown
        bytes: number
        truncated: boolean
      }
      expect({ body, truncated }).toEqual({ body: null, truncated: true })
      expect(Buffer.byteLength(text)).toBeGreaterThan(256 * 1024 - 4)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256 * 1024)
      expect(text).not.toContain('\ufffd')
      expect(bytes).toBeGreaterThan(256 * 1024)
    }
  }
})

test('of embeddings the vectors are counted, not kept', async () => {
  await capture('full')
  for (const encoding of ['float', 'base64']) {
    gateway.upstream.answerWith((_, response) =>
      sendJson(
        response,
        200,
        embeddingAnswer(
          [
            [0.125, 0.5, 1],
            [1, 2, 3],
          ],
          encoding,
        ),
      ),
    )
    const asked = { model: 'text-embedding-3-small', input: ['a', 'b'], encoding_format: encoding }
    const response = await gateway.send('/v1/embeddings', asked)
    const { request, answer } = await sidesOf(response)
    expect(request.body).toEqual(asked)
    expect(answer.body).toMatchObject({ vectors: { count: 2, dimensions: 3 }, usage: { total_tokens: 500 } })
    expect(answer.note).toMatch(/vectors/)
    expect(JSON.stringify(answer)).not.toContain('0.125')
  }
})

describe('the setting', () => {
  test('is off at first, is changed by managers, and each change is in the audit log and in the record', async () => {
    const { id, api } = await addTenant(gateway.service, 'own-record')
    expect((await api.get(setting)).body).toEqual({ mode: 'off', retentionDays: 30, updatedAt: null })
    for (const body of [
      {},
      { mode: 'on' },
      { mode: 'full', retentionDays: 0 },
      { mode: 'full', retentionDays: 366 },
      { mode: 'full', days: 3 },
    ])
      expect((await api.put(setting, body)).status).toBe(400)
    const { body: made } = await api.post('/v1/keys', { name: 'Auditor', role: 'auditor' })
    const auditor = gateway.service.as(made.key)
    expect((await auditor.put(setting, { mode: 'full' })).status).toBe(403)
    expect((await auditor.get(setting)).status).toBe(200)

    const full = await api.put(setting, { mode: 'full', retentionDays: 7 })
    expect(full.body).toEqual({ mode: 'full', retentionDays: 7, updatedAt: expect.any(String) })
    // Again, which changes nothing; then with the days as they are.
    await api.put(setting, { mode: 'full', retentionDays: 7 })
    expect((await api.put(setting, { mode: 'off' })).body).toMatchObject({ mode: 'off', retentionDays: 7 })

    const entries = await gateway.service.database.query<{ event: string; subject: string }>(
      `select canonical::json ->> 'event' as event, canonical::json ->> 'subject' as subject from receipts
       where tenant_id = $1 order by seq`,
      [id],
    )
    expect(entries).toEqual([
      { event: 'content_capture.change', subject: 'mode=full retentionDays=7' },
      { event: 'content_capture.change', subject: 'mode=off retentionDays=7' },
    ])
    const { data } = (await api.get('/v1/audit-log')).body
    expect(
      data.filter(({ action }: { action: string }) => action === 'content_capture.update'),
    ).toMatchObject([
      { before: { mode: 'full', retentionDays: 7 }, after: { mode: 'off', retentionDays: 7 } },
      { before: { mode: 'off', retentionDays: 30 }, after: { mode: 'full', retentionDays: 7 } },
    ])
  })

  test('acts at once: a call that runs while it is changed leaves nothing, and the receipt says what it was', async () => {
    for (const [before, after] of [
      ['full', 'off'],
      ['full', 'redacted'],
      ['off', 'full'],
    ] as const) {
      await capture(before)
      const gate = makeGate()
      gateway.upstream.answerWith(async (_, response) => {
        await gate.passed
        sendJson(response, 200, chat.whole('Done.'))
      })
      const calling = gateway.send(chat.path, chat.body())
      await waitFor(
        'the call',
        async () => (await gateway.service.database.query('select from open_calls')).length > 0,
      )
      await capture(after)
      gate.open()
      const response = await calling
      expect((await gateway.receiptOf(response)).content).toBe(before === 'off' ? undefined : before)
      // What comes later is stored later.
      await capture('full')
      gateway.upstream.answerWith(say('chat', 'Next.'))
      await sidesOf(await gateway.send(chat.path, chat.body()))
      const rows = await gateway.service.database.query('select from call_content where request_id = $1', [
        idOf(response),
      ])
      expect(rows).toEqual([])
    }
  })
})

describe('reading', () => {
  test('is for managers and auditors of the tenant, and each time in the audit log', async () => {
    await capture('full')
    gateway.upstream.answerWith(say('chat', 'Between us.'))
    const { body: made } = await gateway.service.api.post('/v1/keys', { name: 'ann', userId: 'ann' })
    const response = await gateway.send(chat.path, chat.body(), { key: made.key })
    await sidesOf(response)
    const path = `/v1/calls/${idOf(response)}/content`
    const reads = async () => {
      const { data } = (await gateway.service.api.get('/v1/audit-log?limit=200')).body
      return data.filter(
        ({ action, subject }: { action: string; subject: { id: string } }) =>
          action === 'content.read' && subject.id === idOf(response),
      )
    }
    const before = (await reads()).length

    const stranger = await addTenant(gateway.service, 'stranger')
    const { body: revoked } = await gateway.service.api.post('/v1/keys', { name: 'revoked', role: 'auditor' })
    await gateway.service.api.delete(`/v1/keys/${revoked.id}`)
    for (const [key, status] of [
      [made.key, 403],
      [stranger.managerKey, 404],
      [revoked.key, 401],
    ] as const) {
      const answer = await gateway.service.as(key).get(path)
      expect(answer.status).toBe(status)
      expect(JSON.stringify(answer.body)).not.toContain('Between us')
    }
    expect((await gateway.service.api.get('/v1/calls/req_unknown/content')).status).toBe(404)
    expect(await reads()).toHaveLength(before)

    const { body: auditor } = await gateway.service.api.post('/v1/keys', {
      name: 'auditor',
      role: 'auditor',
    })
    const answer = await gateway.service.as(auditor.key).get(path)
    expect(JSON.stringify(answer.body)).toContain('Between us.')
    const after = await reads()
    expect(after).toHaveLength(before + 1)
    expect(after[0]).toMatchObject({ actor: { keyId: auditor.id, userId: null }, before: null })
  })

  test('without an entry in the audit log there is nothing to read', async () => {
    await capture('full')
    gateway.upstream.answerWith(say('chat', 'Between us.'))
    const response = await gateway.send(chat.path, chat.body())
    await sidesOf(response)
    const { query } = gateway.service.database
    await query(`alter table audit_log add constraint broken check (action <> 'content.read') not valid`)
    const { status, body } = await gateway.service.api.get(`/v1/calls/${idOf(response)}/content`)
    await query('alter table audit_log drop constraint broken')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('Between us')
  })

  test('what was moved to another call, changed or never there is shown as such', async () => {
    await capture('full')
    gateway.upstream.answerWith(say('chat', 'Mine.'))
    const [a, b, c] = await Promise.all([1, 2, 3].map(() => gateway.send(chat.path, chat.body())))
    if (!a || !b || !c) throw new Error('three calls')
    for (const each of [a, b, c]) await sidesOf(each)
    const { query } = gateway.service.database
    await query(
      `update call_content set sealed = (select sealed from call_content where request_id = $1) where request_id = $2`,
      [idOf(a), idOf(b)],
    )
    await query(
      'update call_content set sealed = set_byte(sealed, 60, 255 - get_byte(sealed, 60)) where request_id = $1',
      [idOf(a)],
    )
    await query('delete from call_content where request_id = $1', [idOf(c)])
    for (const each of [a, b])
      expect(await contentOf(each)).toMatchObject({ state: 'undecryptable', mode: 'full', attempts: [] })
    await query(`update receipts set ts = ts - interval '5 minutes' where request_id = $1`, [idOf(c)])
    expect(await contentOf(c)).toMatchObject({ state: 'lost', mode: 'full', attempts: [] })

    await capture('off')
    const off = await gateway.send(chat.path, chat.body())
    expect(await contentOf(off)).toEqual({ state: 'off', mode: null, expiresAt: null, attempts: [] })
  })
})

test('the detail of a call has its content for those who may read it, unless they do without', async () => {
  await capture('full')
  gateway.upstream.answerWith(say('chat', 'Between us.'))
  const { body: made } = await gateway.service.api.post('/v1/keys', { name: 'bob', userId: 'bob' })
  const response = await gateway.send(chat.path, chat.body(), { key: made.key })
  await sidesOf(response)
  const countReads = async () =>
    Number(
      (
        await gateway.service.database.query<{ n: string }>(
          `select count(*) as n from audit_log where action = 'content.read'`,
        )
      )[0]?.n,
    )
  const before = await countReads()
  const path = `/v1/calls/${idOf(response)}`
  expect((await gateway.service.as(made.key).get(path)).body).toMatchObject({
    requestId: idOf(response),
    content: null,
  })
  expect((await gateway.service.api.get(`${path}?content=false`)).body.content).toBeNull()
  expect(await countReads()).toBe(before)
  const { body } = await gateway.service.api.get(path)
  expect(body.content).toMatchObject({ state: 'captured', mode: 'full' })
  expect(chat.readWhole(body.content.attempts[0].answer.body)).toBe('Between us.')
  expect(await countReads()).toBe(before + 1)

  // A receipt that was dropped from the record does not take the content along.
  await gateway.service.database.query('delete from receipts where request_id = $1', [idOf(response)])
  expect(await contentOf(response)).toMatchObject({
    state: 'captured',
    mode: 'full',
    expiresAt: expect.any(String),
  })
})

test('an erasure takes all content of the person along, of calls that are over and of those that run', async () => {
  await capture('full')
  const gate = makeGate()
  gateway.upstream.answerWith(async ({ body }, response) => {
    if (body.stream) await gate.passed
    await say('chat', 'Between us.')({ body }, response)
  })
  const keys = await Promise.all(
    ['cid', 'cid', 'dora'].map(
      async (userId) => (await gateway.service.api.post('/v1/keys', { name: userId, userId })).body.key,
    ),
  )
  const over = await Promise.all(keys.map((key) => gateway.send(chat.path, chat.body(), { key })))
  for (const each of over) expect((await contentOf(each)).state).toBe('captured')
  const running = keys.map((key) => gateway.send(chat.path, chat.body({ stream: true }), { key }))
  await waitFor(
    'the calls',
    async () => (await gateway.service.database.query('select from open_calls')).length === 3,
  )
  // While others of the person's begin and end.
  const more = Promise.all(
    Array.from({ length: 30 }, (_, i) => gateway.send(chat.path, chat.body(), { key: keys[i % 3] })),
  )
  const { status } = await gateway.service.api.post('/v1/compliance/erasures', { userId: 'cid' })
  expect(status).toBe(201)
  gate.open()
  const ended = await Promise.all(running)
  for (const each of ended) await each.text()
  await more
  await contentOf(ended[2] as Response)
  const states = async (calls: Response[]) =>
    (await Promise.all(calls.map(contentOf))).map(({ state }) => state)
  await waitFor('what is under way', async () => !(await states([...over, ...ended])).includes('pending'))
  expect(await states(over)).toEqual(['erased', 'erased', 'captured'])
  expect(await states(ended)).toEqual(['erased', 'erased', 'captured'])
  const rows = await gateway.service.database.query<{ request_id: string }>(
    `select request_id from call_content where user_id = 'cid'
     and captured_at < (select max(created_at) from erasures where user_id = 'cid')`,
  )
  expect(rows).toEqual([])

  // What the person says from then on is kept again.
  const later = await gateway.send(chat.path, chat.body(), { key: keys[0] ?? '' })
  expect((await contentOf(later)).state).toBe('captured')
})

test('in the database none of it can be read, in any mode and in any table', async () => {
  const canaries = ['kanariq4request', 'kanariq4answer', 'kanariq4tool']
  for (const mode of ['off', 'redacted', 'full'] as const) {
    await capture(mode)
    const made: Response[] = []
    for (const dialect of dialectNames) {
      const { path, body } = spoken[dialect]
      const fields = body({ metadata: { a: 'kanariq4tool' } })
      const asked = JSON.parse(JSON.stringify(fields).replace('Say it.', 'kanariq4request'))
      gateway.upstream.answerWith(say(dialect, 'kanariq4answer', { pieceChars: 50 }))
      made.push(await gateway.send(path, asked), await gateway.send(path, { ...asked, stream: true }))
      await made.at(-1)?.text()
    }
    for (const each of made) {
      const kept = JSON.stringify(await contentOf(each))
      for (const canary of canaries) expect(kept.includes(canary)).toBe(mode !== 'off')
    }
  }
  const { query } = gateway.service.database
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables) {
    const [row] = await query<{ found: boolean }>(
      `select coalesce(bool_or(t::text ~* $1), false) as found from "${name}" t`,
      [[...canaries, ...canaries.map((each) => Buffer.from(each).toString('hex'))].join('|')],
    )
    expect({ name, found: row?.found }).toEqual({ name, found: false })
  }
})
