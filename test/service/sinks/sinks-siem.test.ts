import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startUpstream } from '../../harness/providers/upstream.js'
import { makeViolations } from '../../harness/reporting/webhooks.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { findOcsfFaults } from '../../harness/sinks/ocsf-rules.js'
import { readHostsTls } from '../../harness/tls/files.js'

let service: TestService
let api: Api
const closing: (() => unknown)[] = []

beforeAll(async () => {
  service = await startTestService()
  api = service.api
})
afterAll(async () => {
  await service.stop()
})
afterEach(async () => {
  for (const { id } of (await api.get('/v1/sinks')).body.data) await api.delete(`/v1/sinks/${id}`)
  for (const close of closing.splice(0)) await close()
})

/** A syslog server that reads frames by their length. */
async function startSyslog() {
  const messages: string[] = []
  const sockets = new Set<Socket>()
  let breaking = 0
  const server = createServer(readHostsTls(), (socket) => {
    sockets.add(socket)
    let read = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      if (breaking > 0) {
        breaking--
        return void socket.destroy()
      }
      read = Buffer.concat([read, chunk])
      for (;;) {
        const [digits = ''] = /^\d+ /.exec(read.toString('latin1', 0, 12)) ?? []
        const end = digits.length + Number(digits)
        if (digits === '' || read.length < end) return
        messages.push(read.toString('utf8', digits.length, end))
        read = read.subarray(end)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `tls://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    breakNext(count: number) {
      breaking = count
    },
  }
}

const create = (fields: object) => api.post('/v1/sinks', { name: 'siem', intervalSeconds: 1, ...fields })
const read = async (id: string) => (await api.get(`/v1/sinks/${id}`)).body

const bodyOf = (message: string) => {
  const parts = /^<(\d+)>1 (\S+) - tallystick - (\S+) - (.*)$/s.exec(message)
  if (!parts) throw new Error(`not a message of RFC 5424: ${message}`)
  return { priority: Number(parts[1]), data: parts[3], event: JSON.parse(parts[4] ?? '') }
}

test('every change arrives at a syslog server with a certificate of its own, also after it hung up', async () => {
  const syslog = await startSyslog()
  syslog.breakNext(2)
  const untrusted = await create({
    data: 'audit',
    destination: { type: 'syslog', url: syslog.url },
    enabled: false,
  })
  expect((await api.post(`/v1/sinks/${untrusted.body.id}/test`)).body).toEqual({
    delivered: false,
    error: expect.stringContaining('TLS'),
  })
  const destination = { type: 'syslog', url: syslog.url, ca: readHostsTls().cert.toString() }
  const { body } = await create({ name: 'trusted', data: 'audit', destination })
  expect(body.format).toBe('ocsf')
  const { body: budget } = await api.post('/v1/budgets', { name: 'Watched', amountUsd: 5 })
  await waitFor('the budget to arrive', () => syslog.messages.some((message) => message.includes(budget.id)))
  await waitFor('nothing to wait', async () => (await read(body.id)).state.lagSeconds === 0)

  const audited = await service.database.query<{ id: string }>('select id from audit_log order by at, id')
  const events = syslog.messages.map(bodyOf)
  expect(events.flatMap(({ event }) => findOcsfFaults(event))).toEqual([])
  // A message may arrive twice, where the server hung up behind it; it has the same id then.
  expect(new Set(events.map(({ event }) => event.metadata.uid))).toEqual(new Set(audited.map(({ id }) => id)))
  expect(events.find(({ event }) => event.entity.uid === budget.id)).toMatchObject({
    priority: 13 * 8 + 6,
    data: 'audit',
    event: {
      class_uid: 3004,
      category_uid: 3,
      activity_id: 1,
      type_uid: 300401,
      severity_id: 1,
      time: expect.any(Number),
      metadata: { version: '1.5.0', product: { vendor_name: 'Tallystick' }, event_code: 'budget.create' },
      actor: { user: { uid: expect.any(String) } },
      entity: { type: 'budget', data: { name: 'Watched' } },
    },
  })
})

test('an entry whose transaction ends late is not left out', async () => {
  const receiver = await startUpstream((_, response) => void response.end())
  closing.push(receiver.close)
  const { body } = await create({ data: 'audit', destination: { type: 'http', url: receiver.url } })
  const arrived = () => receiver.seen.flatMap(({ raw }) => raw.toString().split('\n').filter(Boolean))
  const { default: pg } = await import('pg')
  const late = new pg.Client(service.database.url)
  await late.connect()
  try {
    await late.query('begin')
    await late.query(
      `insert into audit_log (id, tenant_id, actor_type, actor_id, action, subject_type, subject_id)
       values ('aud_late', $1, 'operator', 'operator', 'budget.create', 'budget', 'late')`,
      [service.tenantId],
    )
    const { body: after } = await api.post('/v1/budgets', { name: 'Committed first', amountUsd: 5 })
    await waitFor('a later run', async () => {
      const { lastSuccessAt, lagSeconds } = (await read(body.id)).state
      return lastSuccessAt !== null && lagSeconds > 2
    })
    expect(arrived().join()).not.toContain(after.id)
    await late.query('commit')
    await waitFor('both', () => ['aud_late', after.id].every((id) => arrived().join().includes(id)))
  } finally {
    await late.end()
  }
})

test('security events are the blocked calls, without what was said', async () => {
  const receiver = await startUpstream((_, response) => void response.end())
  closing.push(receiver.close)
  const { violate } = await makeViolations(service)
  await violate()
  await api.post('/v1/chat/completions', {
    model: 'mock/echo',
    messages: [{ role: 'user', content: 'Fine' }],
  })
  const destination = { type: 'http', url: receiver.url, headers: { authorization: 'Splunk a-token' } }
  const { body } = await create({ data: 'security_events', destination })
  expect(body.destination.headers).toEqual(['authorization'])
  await waitFor('the finding', () => receiver.seen.length > 0)
  await waitFor('the rest of the record', async () => (await read(body.id)).state.lagSeconds === 0)
  const lines = receiver.seen.flatMap(({ raw }) => raw.toString().trim().split('\n'))
  expect(lines).toHaveLength(1)
  expect(findOcsfFaults(JSON.parse(lines[0] ?? ''))).toEqual([])
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    ...{ class_uid: 2004, category_uid: 2, activity_id: 1, type_uid: 200401, severity_id: 3 },
    finding_info: {
      uid: expect.stringMatching(/^tenant_\w+-\d+$/),
      title: expect.stringContaining('blocked'),
    },
    unmapped: { check: 'model_allowlist' },
  })
  expect(receiver.seen[0]?.headers).toMatchObject({
    authorization: 'Splunk a-token',
    'idempotency-key': expect.stringContaining(body.id),
  })
})

test('data that does not fit the destination or the format is refused', async () => {
  const faultOf = async (fields: object) => (await create(fields)).body.error.details[0].path
  const syslog = { type: 'syslog', url: 'tls://127.0.0.1:6514' }
  expect(await faultOf({ data: 'receipts', destination: syslog })).toBe('destination.type')
  expect(await faultOf({ data: 'audit', format: 'jsonl', destination: syslog })).toBe('format')
  expect(await faultOf({ data: 'audit', destination: { ...syslog, url: 'https://127.0.0.1' } })).toBe(
    'destination.url',
  )
})
