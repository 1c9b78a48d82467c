import { Type } from 'typebox'
import { Nullable, strict } from '../../../http/index.js'
import type { BatchNotes, BatchRow, FileRecord } from '../../../resources/batches/index.js'
import { batchUrls } from '../batch-endpoints.js'

// These schemas follow OpenAI's API, because its client libraries read them.

const Seconds = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since 1970` })
const SecondsOrNull = (description: string) =>
  Nullable(Type.Integer(), `${description}, in seconds since 1970; null until then`)

export const File = Type.Object(
  {
    id: Type.String({ examples: ['file_01k9v5m2q0a3bc4d5e6f7g8h9j'] }),
    object: Type.Literal('file'),
    bytes: Type.Integer(),
    created_at: Seconds('When it came'),
    expires_at: Seconds('When it is deleted'),
    filename: Type.String(),
    purpose: Type.Enum(['batch', 'batch_output']),
    status: Type.Literal('processed'),
  },
  { title: 'File' },
)

export const presentFile = ({ id, bytes, createdAt, expiresAt, name, purpose }: FileRecord) => ({
  ...{ id, object: 'file' as const, bytes, filename: name, purpose, status: 'processed' as const },
  ...{ created_at: toSeconds(createdAt), expires_at: toSeconds(expiresAt) },
})

const Metadata = Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.String({ maxLength: 512 }), {
  maxProperties: 16,
})

export const BatchOrder = Type.Object(
  {
    input_file_id: Type.String({ description: 'A file of this key, uploaded with `purpose: batch`' }),
    endpoint: Type.Enum([...batchUrls], { description: 'The `url` of every line' }),
    completion_window: Type.Literal('24h'),
    metadata: Type.Optional(Nullable(Metadata, 'Notes of yours; null for none')),
  },
  {
    ...strict,
    title: 'BatchOrder',
    examples: [
      {
        input_file_id: 'file_01k9v5m2q0a3bc4d5e6f7g8h9j',
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
      },
    ],
  },
)

export const Batch = Type.Object(
  {
    id: Type.String({ examples: ['batch_01k9v5m2q0a3bc4d5e6f7g8h9j'] }),
    object: Type.Literal('batch'),
    endpoint: Type.String(),
    model: Type.String(),
    errors: Nullable(
      Type.Object({
        object: Type.Literal('list'),
        data: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
      }),
      'Why it failed; null where it did not',
    ),
    input_file_id: Type.String(),
    completion_window: Type.Literal('24h'),
    status: Type.Enum([
      'validating',
      'in_progress',
      'finalizing',
      'completed',
      'failed',
      'expired',
      'cancelling',
      'cancelled',
    ]),
    output_file_id: Nullable(Type.String(), 'The answers; null where there are none, or not yet'),
    error_file_id: Nullable(
      Type.String(),
      'Lines without an answer, and why; null where there are none, or not yet',
    ),
    created_at: Seconds('When it was made'),
    in_progress_at: SecondsOrNull('When the provider had it'),
    expires_at: Seconds('By when the provider answers'),
    finalizing_at: SecondsOrNull('When its answers were fetched'),
    completed_at: SecondsOrNull('When its answers were there'),
    failed_at: SecondsOrNull('When it failed'),
    expired_at: SecondsOrNull('When it expired'),
    cancelling_at: SecondsOrNull('When it was asked to be cancelled'),
    cancelled_at: SecondsOrNull('When it was cancelled'),
    request_counts: Type.Object({
      total: Type.Integer(),
      completed: Type.Integer(),
      failed: Type.Integer(),
    }),
    metadata: Nullable(Metadata, 'Your notes; null for none'),
  },
  { title: 'Batch' },
)

export function presentBatch(row: BatchRow, { metadata }: BatchNotes) {
  const { id, endpoint, model, status, error } = row
  const endedAs = (wanted: BatchRow['status']) => (status === wanted ? secondsOrNull(row.ended_at) : null)
  const errors =
    error === null ? null : { object: 'list' as const, data: [{ code: 'batch_failed', message: error }] }
  return {
    ...{ id, object: 'batch' as const, endpoint, model, errors, status, metadata },
    input_file_id: row.input_file_id,
    completion_window: '24h' as const,
    output_file_id: row.output_file_id,
    error_file_id: row.error_file_id,
    created_at: toSeconds(row.created_at),
    in_progress_at: secondsOrNull(row.in_progress_at),
    expires_at: toSeconds(row.expires_at),
    finalizing_at: secondsOrNull(row.finalizing_at),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: secondsOrNull(row.cancelling_at),
    cancelled_at: endedAs('cancelled'),
    request_counts: { total: row.call_ids.length, completed: row.completed, failed: row.failed },
  }
}

const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000)
const secondsOrNull = (date: Date | null): number | null => (date === null ? null : toSeconds(date))
