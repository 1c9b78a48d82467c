import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExportVerifier } from '../../../packages/record/src/verify/export-verifier.js'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { countOpenJobs } from '../../../packages/service/src/resources/compliance/jobs/job-figures.js'
import { deleteOldJobs } from '../../../packages/service/src/resources/compliance/jobs/job-prune.js'
import { fillRecord } from '../../harness/record/fill-record.js'
import { readMetrics } from '../../harness/reporting/metrics.js'
import { waitFor } from '../../harness/run/wait.js'
import type { Api } from '../../harness/service/api.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

// Entries of 4 kB: the export is some parts of 4 MiB.
const groups = [1, 300, 512, 512, 512, 512]
const size = 2_349
// Whenever the tests run: the month does not end meanwhile.
const month = '2026-03'
const ts = `${month}-15T12:00:00.000Z`

let service: TestService
let tenant: TestTenant

beforeAll(async () => {
  service = await startTestService()
  tenant = await addTenant(service, 'acme')
  await fillRecord({ ...service, tenantId: tenant.id, groups, draft: { ts, user: 'x'.repeat(4_000) } })
})
afterAll(() => service.stop())

async function start(kind: 'exports' | 'attestations', body?: object, api: Api = tenant.api) {
  const answer = await api.post(`/v1/compliance/${kind}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return answer.body
}

const finished = (id: string, api: Api = tenant.api) =>
  waitFor('the job to end', async () => {
    const { body } = await api.get(`/v1/compliance/jobs/${id}`)
    return body.finishedAt !== null && body
  })

const countParts = async (id: string) =>
  (await service.database.query('select from compliance_job_parts where job_id = $1', [id])).length

/** While it lasts, no part is stored: jobs that run stay where they are. */
async function holdParts<T>(act: () => Promise<T>): Promise<T> {
  const client = new pg.Client(service.database.url)
  await client.connect()
  try {
    await client.query('begin; lock table compliance_job_parts in exclusive mode')
    return await act()
  } finally {
    await client.end()
  }
}

describe('a job', () => {
  test('makes the export that is streamed, byte for byte, in parts; it verifies', async () => {
    const job = await start('exports')
    expect(job).toMatchObject({
      kind: 'export',
      progress: { total: size },
      resultUrl: null,
      finishedAt: null,
      expiresAt: null,
    })
    const done = await finished(job.id)
    expect(done).toMatchObject({
      status: 'done',
      error: null,
      progress: { done: size, total: size },
      resultUrl: `/v1/compliance/jobs/${job.id}/result`,
    })
    expect(Date.parse(done.expiresAt) - Date.parse(done.finishedAt)).toBe(7 * 86_400_000)
    expect(await countParts(job.id)).toBeGreaterThan(2)
    const streamed = await tenant.api.get('/v1/compliance/export')
    const kept = await tenant.api.get(done.resultUrl)
    for (const name of ['content-type', 'content-disposition'])
      expect(kept.headers.get(name)).toBe(streamed.headers.get(name))
    expect(kept.body === streamed.body).toBe(true)
    expect(done.bytes).toBe(Buffer.byteLength(streamed.body))
    const verifier = new ExportVerifier()
    for (const line of kept.body.trimEnd().split('\n')) verifier.addLine(line)
    expect(verifier.finish()).toMatchObject({ fault: null, sealed: size })
  })

  test('of a span exports that span, and refuses what a request refuses, in the same words', async () => {
    const done = await finished((await start('exports', { fromSeq: 302, toSeq: 400 })).id)
    const streamed = await tenant.api.get('/v1/compliance/export?fromSeq=302&toSeq=400')
    expect((await tenant.api.get(done.resultUrl)).body === streamed.body).toBe(true)
    for (const [body, query] of [
      [{ toSeq: size + 1 }, `?toSeq=${size + 1}`],
      [{ fromSeq: 3, toSeq: 2 }, '?fromSeq=3&toSeq=2'],
    ]) {
      const refused = await tenant.api.get(`/v1/compliance/export${query}`)
      const { status, body: error } = await tenant.api.post('/v1/compliance/exports', body)
      expect([status, error]).toEqual([refused.status, refused.body])
    }
  })

  test('makes the attestation that a request gets', async () => {
    const done = await finished((await start('attestations', { period: month })).id)
    expect(done).toMatchObject({ status: 'done', progress: { done: size, total: size } })
    const asked = await tenant.api.get(`/v1/compliance/attestation?period=${month}`)
    const kept = await tenant.api.get(done.resultUrl)
    expect(kept.headers.get('content-type')).toBe(asked.headers.get('content-type'))
    const { keyId } = asked.body.signature
    const ofItsOwn = { generatedAt: expect.any(String), signature: { keyId, value: expect.any(String) } }
    expect(kept.body).toEqual({ ...asked.body, ...ofItsOwn })
    expect(Object.keys(kept.body)).toEqual(Object.keys(asked.body))
    const both = await tenant.api.post('/v1/compliance/attestations', { period: month, days: 3 })
    expect(both.status).toBe(400)
  })

  test('has the record as it was when it was requested', async () => {
    const growing = await addTenant(service, 'growing')
    await fillRecord({ ...service, tenantId: growing.id, groups: [5, 3], draft: { ts } })
    const jobs = await holdParts(async () => {
      const started = [
        await start('exports', {}, growing.api),
        await start('attestations', { period: month }, growing.api),
      ]
      await fillRecord({ ...service, tenantId: growing.id, groups: [4], draft: { ts } })
      return started
    })
    const [exported, attested] = await Promise.all(jobs.map(({ id }) => finished(id, growing.api)))
    const lines = (await growing.api.get(exported.resultUrl)).body.trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1))).toEqual({ type: 'end', entries: 8, seals: 2 })
    expect((await growing.api.get(attested.resultUrl)).body).toMatchObject({
      period: { fromSeq: 1, toSeq: 8 },
      totals: { receipts: 8, chainVerified: true, signaturesVerified: true },
    })
  })

  test('is nobody’s but its tenant’s, and of no member', async () => {
    const { id } = await start('exports', { toSeq: 1 })
    await finished(id)
    const stranger = await addTenant(service, 'stranger')
    for (const path of [`/v1/compliance/jobs/${id}`, `/v1/compliance/jobs/${id}/result`])
      expect((await stranger.api.get(path)).status).toBe(404)
    expect((await stranger.api.delete(`/v1/compliance/jobs/${id}`)).status).toBe(404)
    expect((await stranger.api.get('/v1/compliance/jobs')).body.data).toEqual([])
    const key = (await tenant.api.post('/v1/keys', { name: 'Member', userId: 'ann' })).body.key
    expect((await service.as(key).get(`/v1/compliance/jobs/${id}/result`)).status).toBe(403)
    const auditor = (await tenant.api.post('/v1/keys', { name: 'Auditor', role: 'auditor' })).body.key
    expect((await service.as(auditor).get(`/v1/compliance/jobs/${id}/result`)).status).toBe(200)
  })

  test('an auditor removes its own and nobody else’s; a manager removes any', async () => {
    const { id } = await start('exports')
    const keyOf = async (body: object) =>
      (await tenant.api.post('/v1/keys', { role: 'auditor', ...body })).body.key
    const auditor = service.as(await keyOf({ name: 'Auditor' }))
    const other = service.as(await keyOf({ name: 'Other auditor' }))
    const refused = await auditor.delete(`/v1/compliance/jobs/${id}`)
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringMatching(/requested itself/) } },
    })
    const own = (await auditor.post('/v1/compliance/exports')).body
    expect((await other.delete(`/v1/compliance/jobs/${own.id}`)).status).toBe(403)
    expect((await auditor.get(`/v1/compliance/jobs/${own.id}`)).status).toBe(200)
    await finished(own.id)
    expect((await auditor.delete(`/v1/compliance/jobs/${own.id}`)).status).toBe(204)
    const third = (await auditor.post('/v1/compliance/exports')).body
    expect(third.requestedBy).toMatchObject({ userId: null, keyId: expect.stringMatching(/^key_/) })
    await finished(third.id)
    await finished(id)
    for (const each of [third.id, id])
      expect((await tenant.api.delete(`/v1/compliance/jobs/${each}`)).status).toBe(204)
  })

  test('is cancelled while it runs, and removed once it has ended', async () => {
    const { id } = await start('exports')
    await finished(id)
    expect((await tenant.api.delete(`/v1/compliance/jobs/${id}`)).status).toBe(204)
    expect((await tenant.api.get(`/v1/compliance/jobs/${id}/result`)).status).toBe(404)

    const cancelled = await holdParts(async () => {
      const job = await start('exports')
      await waitFor('it to be begun', async () => {
        const { body } = await tenant.api.get(`/v1/compliance/jobs/${job.id}`)
        return body.status === 'running'
      })
      expect((await tenant.api.get(`/v1/compliance/jobs/${job.id}/result`)).status).toBe(409)
      expect((await tenant.api.delete(`/v1/compliance/jobs/${job.id}`)).status).toBe(204)
      return job.id
    })
    // The worker goes on with the next one, and has left the cancelled one as it was.
    await finished((await start('exports', { toSeq: 1 })).id)
    expect(await finished(cancelled)).toMatchObject({ status: 'cancelled', bytes: null, resultUrl: null })
    expect(await countParts(cancelled)).toBe(0)
    expect((await tenant.api.delete(`/v1/compliance/jobs/${cancelled}`)).status).toBe(204)
    expect((await tenant.api.get(`/v1/compliance/jobs/${cancelled}`)).status).toBe(404)
  })

  test('is gone when its time is over, with every part of its result', async () => {
    const { id } = await start('exports')
    await finished(id)
    const stays = (await finished((await start('exports', { toSeq: 1 })).id)).id
    await service.database.query('update compliance_jobs set expires_at = now() where id = $1', [id])
    expect((await tenant.api.get(`/v1/compliance/jobs/${id}`)).status).toBe(404)
    expect((await tenant.api.get(`/v1/compliance/jobs/${id}/result`)).status).toBe(404)
    const { db, close } = openDatabase(service.database.url, () => undefined)
    await deleteOldJobs(db)
    await close()
    expect(await countParts(id)).toBe(0)
    expect(await service.database.query('select from compliance_jobs where id = $1', [id])).toEqual([])
    expect((await tenant.api.get(`/v1/compliance/jobs/${stays}/result`)).status).toBe(200)
  })

  test('is one of a few that may wait, however many are requested at once; and of so many results', async () => {
    const busy = await addTenant(service, 'busy')
    await holdParts(async () => {
      const asked = await Promise.all(
        Array.from({ length: 12 }, () => busy.api.post('/v1/compliance/exports')),
      )
      const refused = asked.filter(({ status }) => status === 409)
      expect(asked.filter(({ status }) => status === 202)).toHaveLength(5)
      expect(refused).toHaveLength(7)
      expect(refused[0]?.body.error.message).toContain('5 jobs of this tenant wait or run')
      // Others are not held up by it.
      await start('exports', { toSeq: 1 })
    })
    const list = async () => (await busy.api.get('/v1/compliance/jobs')).body.data
    await waitFor('all to be done', async () =>
      (await list()).every(({ status }: { status: string }) => status === 'done'),
    )
    await service.database.query(
      `insert into compliance_jobs (id, tenant_id, kind, status, task, finished_at, expires_at)
       select id || n, tenant_id, kind, status, task, finished_at, expires_at
       from compliance_jobs, generate_series(1, 3) as n where tenant_id = $1`,
      [busy.id],
    )
    const full = await busy.api.post('/v1/compliance/exports')
    expect([full.status, full.body.error.message]).toEqual([409, expect.stringContaining('are kept')])
    await busy.api.delete(`/v1/compliance/jobs/${(await list())[0].id}`)
    await finished((await start('exports', {}, busy.api)).id, busy.api)
  })

  test('is started once for each Idempotency-Key', async () => {
    for (const [kind, body] of [
      ['exports', { toSeq: 1 }],
      ['attestations', { period: month }],
    ] as const) {
      const again = () =>
        tenant.api.post(`/v1/compliance/${kind}`, body, { 'idempotency-key': `${kind} once` })
      const [first, second] = [await again(), await again()]
      expect([first.status, second.status]).toEqual([202, 202])
      expect(second.body.id).toBe(first.body.id)
      await finished(first.body.id)
    }
  })

  test('whose last seal is thinned out meanwhile fails, instead of giving a file that does not verify', async () => {
    await service.database.query(
      `create table kept as select * from seals where tenant_id = '${tenant.id}' and size = 301`,
    )
    const { id } = await holdParts(async () => {
      // The worker is busy with the first one.
      await start('exports', { toSeq: 1 })
      const job = await start('exports', { toSeq: 300 })
      await service.database.query('delete from seals where tenant_id = $1 and size = 301', [tenant.id])
      return job
    })
    expect(await finished(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The seal over entry 301 was removed'),
    })
    await service.database.query('insert into seals select * from kept')
  })

  test('that fails again and again says so in words, and is not begun for ever', async () => {
    const [{ task } = { task: '' }] = await service.database.query<{ task: string }>(
      `select task from compliance_jobs where tenant_id = $1 and kind = 'export' limit 1`,
      [tenant.id],
    )
    await service.database.query(
      `with broken as (
         insert into compliance_jobs (id, tenant_id, kind, status, task)
         values ('job_broken', $1, 'export', 'running', $2) returning id, tenant_id)
       insert into jobs (id, kind, tenant_id, attempts) select id, 'compliance', tenant_id, 5 from broken`,
      [tenant.id, task],
    )
    expect(await finished('job_broken')).toMatchObject({
      status: 'failed',
      resultUrl: null,
      error: 'It was begun 5 times and got no further; the log of the service says why',
    })
  })

  test('is counted while it waits, while somebody works on it, and when it has ended', async () => {
    const counted = await addTenant(service, 'counted')
    await fillRecord({ ...service, tenantId: counted.id, groups: [4], draft: { ts } })
    const { db, close } = openDatabase(service.database.url, () => undefined)
    const ended = async (document: string, status: string) =>
      (await readMetrics(service.address)).sum('tallystick_compliance_jobs_total', { document, status })
    const before = [await ended('export', 'done'), await ended('attestation', 'done')]
    await holdParts(async () => {
      await start('exports', {}, counted.api)
      await waitFor('the export to be begun', async () => (await countOpenJobs(db)).running.export === 1)
      await start('attestations', { period: month }, counted.api)
      // A worker that stood still counts as gone until it renews its lease.
      await expect
        .poll(() => countOpenJobs(db))
        .toEqual({
          running: { export: 1, attestation: 0 },
          waiting: { export: 0, attestation: 1 },
        })
    })
    await waitFor('both to be counted', async () => {
      const now = [await ended('export', 'done'), await ended('attestation', 'done')]
      return now.every((count, index) => count === (before[index] ?? 0) + 1)
    })
    expect(await countOpenJobs(db)).toEqual({
      running: { export: 0, attestation: 0 },
      waiting: { export: 0, attestation: 0 },
    })
    await close()
    // Those of the tests before.
    expect(await ended('export', 'failed')).toBe(2)
    const documentsOf = async (state: string) =>
      (await readMetrics(service.address))
        .of(`tallystick_compliance_jobs_${state}`)
        .map(({ labels }) => labels.document)
    // They are read in the background, later again where the database took too long.
    for (const state of ['waiting', 'running'])
      await expect.poll(() => documentsOf(state)).toEqual(['attestation', 'export'])
  })
})
