import { Type } from 'typebox'
import { Nullable, strict } from '../../../http/index.js'
import type { BatchNotes, BatchRow, FileRecord } from '../../../resources/batches/index.js'
import { batchUrls } from '../batch-endpoints.js'

// These schemas follow OpenAI's API, because its client libraries read them.

const Seconds = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since the Unix epoch` })
const SecondsOrNull = (description: string) =>
  Nullable(Type.Integer(), `${description}, in seconds since the Unix epoch. Null until then`)

export const File = Type.Object(
  {
    id: Type.String({ examples: ['file_01k9v5m2q0a3bc4d5e6f7g8h9j'] }),
    object: Type.Literal('file'),
    bytes: Type.Integer(),
    created_at: Seconds('When the file was uploaded'),
    expires_at: Seconds('When the file is deleted'),
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
    input_file_id: Type.String({
      description: 'The id of a file that this key uploaded with `purpose: batch`',
    }),
    endpoint: Type.Enum([...batchUrls], { description: 'The `url` of every line' }),
    completion_window: Type.Literal('24h'),
    metadata: Type.Optional(Nullable(Metadata, 'Key-value pairs of your choice. Null for none')),
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
      'Why the batch failed. Null if it did not fail',
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
    output_file_id: Nullable(Type.String(), 'The file with the answers. Null if there are none, or none yet'),
    error_file_id: Nullable(
      Type.String(),
      'The file with the lines that have no answer, and the reasons. Null if there are none, or none yet',
    ),
    created_at: Seconds('When the batch was created'),
    in_progress_at: SecondsOrNull('When the provider received the batch'),
    expires_at: Seconds('When the batch expires if the provider has not finished it'),
    finalizing_at: SecondsOrNull('When this service started to fetch the answers'),
    completed_at: SecondsOrNull('When the answers were available'),
    failed_at: SecondsOrNull('When the batch failed'),
    expired_at: SecondsOrNull('When the batch expired'),
    cancelling_at: SecondsOrNull('When the cancellation was requested'),
    cancelled_at: SecondsOrNull('When the batch was cancelled'),
    request_counts: Type.Object({
      total: Type.Integer(),
      completed: Type.Integer(),
      failed: Type.Integer(),
    }),
    metadata: Nullable(Metadata, 'Your key-value pairs. Null for none'),
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
