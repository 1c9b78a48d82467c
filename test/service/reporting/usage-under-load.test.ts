import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../harness/run/wait.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test('reports that take long leave connections for everything else', async () => {
  const { body: member } = await service.api.post('/v1/keys', { name: 'member' })
  const blocker = new pg.Client(service.database.url)
  await blocker.connect()
  await blocker.query('begin; lock table closed_usage_days in access exclusive mode')
  const reports = Array.from({ length: 20 }, (_, n) =>
    service.as(member.key).get(`/v1/usage?model=model-${n}`),
  )
  try {
    await waitFor('a report to wait for the table', async () => {
      const waiting = await service.database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%closed_usage_days%'
           and datname = current_database()`,
      )
      return waiting.length > 1
    })
    // All that have a connection wait by now: a change that came after them has been made.
    for (let n = 0; n < 3; n++)
      expect((await service.api.post('/v1/keys', { name: `new ${n}` })).status).toBe(201)
  } finally {
    await blocker.query('rollback')
    await blocker.end()
  }
  for (const { status } of await Promise.all(reports)) expect(status).toBe(200)
})

test('a key has so many reports under way, and the next is refused with a word', async () => {
  const { body: member } = await service.api.post('/v1/keys', { name: 'busy' })
  const blocker = new pg.Client(service.database.url)
  await blocker.connect()
  await blocker.query('begin; lock table closed_usage_days in access exclusive mode')
  const reports = Array.from({ length: 40 }, (_, n) =>
    service.as(member.key).get(`/v1/usage?model=model-${n}`),
  )
  let refused = 0
  const counted = reports.map(async (report) => {
    const { status, body } = await report
    if (status !== 429) return status
    refused += 1
    expect(body.error).toMatchObject({ type: 'rate_limit_exceeded', retry_after: 1 })
    return status
  })
  try {
    await waitFor('those beyond the bound to be refused', () => refused === 8)
  } finally {
    await blocker.query('rollback')
    await blocker.end()
  }
  const statuses = await Promise.all(counted)
  expect(statuses.filter((status) => status === 200)).toHaveLength(32)
})
