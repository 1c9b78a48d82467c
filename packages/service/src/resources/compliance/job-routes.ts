import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import {
  allowNoBody,
  ById,
  defineResource,
  downloadHeader,
  isOwnedBy,
  type ManagementApi,
  ownerOf,
  type Principal,
  presentEach,
  principalOf,
} from '../../http/index.js'
import { findSeal, readRecordSize } from '../../record/index.js'
import { ApiError, conflict, notFound } from '../../shared/errors.js'
import { answerOnce } from '../idempotency/index.js'
import { readPeriod } from './attestation/attestation-period.js'
import { Attestation } from './attestation/attestation-schema.js'
import { findExportSpan, Lines } from './export-routes.js'
import { AttestationJobRequest, ComplianceJob, ExportJobRequest } from './jobs/job-schema.js'
import {
  cancelOrRemoveJob,
  defaultJobLimits,
  insertJob,
  type JobRow,
  keptDays,
  listJobs,
  readPart,
  requireJob,
} from './jobs/job-store.js'
import { type JobTask, nameOf, readTask } from './jobs/job-task.js'

const tag = 'Compliance'
const decompress = promisify(gunzip)

export interface JobRoutesOptions {
  now(): Date
  /** Called after a job was added, so that this process's worker need not wait until it polls again. */
  onAdded(): void
}

const kept = `The result is kept for ${keptDays} days. A tenant can have at most ${defaultJobLimits.open} jobs that are waiting or running, and ${defaultJobLimits.kept} results.`

/** Attestations and exports that take longer than a caller waits. They only read, so auditors may request them. */
export function registerJobRoutes(api: ManagementApi, { now, onAdded }: JobRoutesOptions): void {
  const { app, db } = api
  const reading = { access: 'reader', onlyReads: true } as const

  async function addJob(db: Db, principal: Principal, task: JobTask): Promise<ComplianceJob> {
    return presentJob(await insertJob(db, principal, task, defaultJobLimits))
  }

  app.post(
    '/v1/compliance/attestations',
    {
      config: { ...reading, idempotent: true },
      preValidation: allowNoBody,
      schema: {
        tags: [tag],
        operationId: 'createAttestationJob',
        summary: 'Attest a period as a job',
        description: `Starts a job that creates the same attestation as \`GET /v1/compliance/attestation\` in the background. Use it for periods with millions of entries. It attests the record as of the request. ${kept}`,
        body: AttestationJobRequest,
        response: { 202: ComplianceJob },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const period = readPeriod(request.body, now())
      const job = await answerOnce(db, request, async (db) => {
        const recordSize = await readRecordSize(db, principal.tenantId)
        return await addJob(db, principal, { kind: 'attestation', period, recordSize })
      })
      onAdded()
      return reply.code(202).send(job)
    },
  )

  app.post(
    '/v1/compliance/exports',
    {
      config: { ...reading, idempotent: true, errors: ['not_found'] },
      preValidation: allowNoBody,
      schema: {
        tags: [tag],
        operationId: 'createExportJob',
        summary: 'Export the record as a job',
        description: `Starts a job that creates the same file as \`GET /v1/compliance/export\` in the background. Use it for spans with millions of entries. The export ends at the newest entry at the time of the request. ${kept}`,
        body: ExportJobRequest,
        response: { 202: ComplianceJob },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const header = await findExportSpan(db, tenantId, request.body)
      const job = await answerOnce(db, request, async (db) => {
        const isSealed = (await findSeal(db, tenantId, header.toSeq)) !== undefined
        return await addJob(db, principal, { kind: 'export', header, isSealed })
      })
      onAdded()
      return reply.code(202).send(job)
    },
  )

  defineResource(api, {
    path: '/v1/compliance/jobs',
    params: ById,
    tag,
    one: 'a compliance job',
    many: 'compliance jobs',
    item: ComplianceJob,
    present: presentEach(presentJob),
    find: ({ tenantId, params }) => requireJob(db, tenantId, params.id),
    list: {
      summary: 'List jobs',
      description: 'Lists attestation and export jobs, newest first.',
      rows: ({ tenantId, filter }) => listJobs(db, tenantId, filter),
      position: (row) => row.id,
    },
    read: { summary: 'Get a job', description: 'Returns the status and the progress of a job.' },
  })

  app.get(
    '/v1/compliance/jobs/:id/result',
    {
      config: {
        access: 'reader',
        errors: ['not_found', 'conflict', 'rate_limit_exceeded'],
        answerHeaders: { success: downloadHeader },
      },
      exposeHeadRoute: false,
      schema: {
        tags: [tag],
        operationId: 'getComplianceJobResult',
        summary: 'Get the result of a job',
        description:
          'Streams the attestation, or the export as JSON lines. The request fails with 409 until the job is done. A result that is removed while it is read ends without an `end` line.',
        params: ById,
        produces: ['application/json', 'application/x-ndjson'],
        response: {
          200: {
            description: 'An attestation, or the lines of an export',
            content: {
              'application/json': { schema: Attestation },
              'application/x-ndjson': { schema: Lines },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const job = await requireJob(db, principalOf(request).tenantId, request.params.id)
      if (job.status !== 'done') throw conflict(`The job is ${job.status}: it has no result`)
      const type = job.kind === 'export' ? 'application/x-ndjson' : 'application/json'
      // One part is read ahead of the one being sent.
      return reply
        .type(`${type}; charset=utf-8`)
        .header('content-length', job.bytes)
        .header('content-disposition', `attachment; filename="${nameOf(job.tenant_id, readTask(job))}"`)
        .send(Readable.from(readResult(db, job), { highWaterMark: 1 }))
    },
  )

  app.delete(
    '/v1/compliance/jobs/:id',
    {
      config: { ...reading, errors: ['not_found', 'forbidden'] },
      schema: {
        tags: [tag],
        operationId: 'deleteComplianceJob',
        summary: 'Cancel or remove a job',
        description: `Cancels a job that is waiting or running; it stays in the list for ${keptDays} days. A job that has ended is removed together with its result. Auditors can cancel and remove only jobs that they requested themselves.`,
        params: ById,
        response: { 204: Type.Null({ description: 'The job is cancelled or removed' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const job = await requireJob(db, principal.tenantId, request.params.id)
      if (principal.role !== 'manager' && !isRequestedBy(principal, job))
        throw new ApiError(
          'forbidden',
          'An auditor can cancel and remove only jobs that it requested itself: ask a manager to do it',
        )
      if (!(await cancelOrRemoveJob(db, principal.tenantId, job.id))) throw notFound('job')
      return reply.code(204).send(null)
    },
  )
}

const isRequestedBy = (principal: Principal, { user_id: userId, key_id: keyId }: JobRow): boolean =>
  isOwnedBy(ownerOf(principal), { userId, keyId })

async function* readResult(db: Db, { id, parts }: JobRow): AsyncGenerator<Buffer, void> {
  for (let number = 0; number < parts; number++) {
    const content = await readPart(db, id, number)
    if (!content) throw new Error(`The result of ${id} was removed while it was read`)
    yield await decompress(content)
  }
}

const presentJob = (row: JobRow): ComplianceJob => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  name: nameOf(row.tenant_id, readTask(row)),
  requestedBy: { keyId: row.key_id, userId: row.user_id },
  progress: { done: row.done, total: row.total },
  bytes: row.status === 'done' ? row.bytes : null,
  error: row.error,
  resultUrl: row.status === 'done' ? `/v1/compliance/jobs/${row.id}/result` : null,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
})
