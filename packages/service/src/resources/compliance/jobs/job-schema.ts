import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict } from '../../../http/index.js'
import { attestationPeriod } from '../attestation/attestation-schema.js'
import { Seq } from '../proof-schema.js'

export const AttestationJobRequest = Type.Object(attestationPeriod, {
  ...strict,
  title: 'AttestationJobRequest',
  examples: [{ period: '2026-11' }],
})

export const ExportJobRequest = Type.Object(
  { fromSeq: Type.Optional(Seq), toSeq: Type.Optional(Seq) },
  { ...strict, title: 'ExportJobRequest', examples: [{}] },
)

export const ComplianceJob = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['attestation', 'export']),
    status: Type.Enum(['queued', 'running', 'done', 'failed', 'cancelled'], {
      description:
        'The state of the job. It is also `running` while it waits to continue, or for another replica to take over',
    }),
    name: Type.String({ description: 'The file name of the result' }),
    requestedBy: Type.Object({
      keyId: Nullable(
        Type.String(),
        'The key that requested the job. Null for a session that was opened without a key',
      ),
      userId: Nullable(Type.String(), 'The id of the user. Null for a key without an owner'),
    }),
    progress: Type.Object(
      {
        done: Type.Integer({ minimum: 0 }),
        total: Nullable(
          Type.Integer({ minimum: 0 }),
          'The total number of entries. Null until the span of an attestation is known',
        ),
      },
      { description: 'The progress of the job, in entries of the record' },
    ),
    bytes: Nullable(
      Type.Integer({ minimum: 0 }),
      'The size of the result in bytes. Null until the job is done',
    ),
    error: Nullable(Type.String(), 'Why the job failed. Null unless it failed'),
    resultUrl: Nullable(Type.String(), 'The path of the result. Null until the job is done'),
    createdAt: DateTime,
    finishedAt: Nullable(DateTime, 'When the job ended. Null until then'),
    expiresAt: Nullable(DateTime, 'When the job and its result are removed. Null until the job has ended'),
  },
  {
    title: 'ComplianceJob',
    examples: [
      {
        id: 'job_01k9zq3w8hcv7m2x4n6p8r0t1y',
        kind: 'export',
        status: 'done',
        name: 'tenant_01k9zq3w8hcv7m2x4n6p8r0t1y-1-2405.jsonl',
        requestedBy: { keyId: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y', userId: 'ada' },
        progress: { done: 2405, total: 2405 },
        bytes: 2405118,
        error: null,
        resultUrl: '/v1/compliance/jobs/job_01k9zq3w8hcv7m2x4n6p8r0t1y/result',
        createdAt: '2026-11-15T09:30:00.000Z',
        finishedAt: '2026-11-15T09:30:01.412Z',
        expiresAt: '2026-11-22T09:30:01.412Z',
      },
    ],
  },
)

export type ComplianceJob = Static<typeof ComplianceJob>
