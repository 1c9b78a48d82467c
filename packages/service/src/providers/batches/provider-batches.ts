import { randomUUID } from 'node:crypto'
import { asArray, asCount, asObject, isObject, type JsonObject, parseObject } from '@tallystick/record/json'
import { ApiError } from '../../shared/errors.js'
import type { CredentialPool } from '../credentials/pool.js'
import {
  type ProviderRequest,
  type ProviderRequestParts,
  sendProviderRequest,
} from '../send-provider-request.js'
import { describeFailure, retryAfterMsOf, TransportError } from '../transport/transport-failure.js'
import { type CredentialId, type ProviderBatches, ProviderRefusal, type UpstreamBatch } from './contract.js'

export interface ProviderBatchesOptions extends ProviderRequestParts {
  provider: string
  pool: CredentialPool
  paths: { files: string; batches: string }
}

const timeoutMs = 60_000
const transferTimeoutMs = 600_000
const maxAnswerBytes = 1024 * 1024
/** The largest result file that is downloaded. */
const maxDownloadBytes = 128 * 1024 * 1024
const ownIdField = 'tallystick_batch'

export function createProviderBatches(options: ProviderBatchesOptions): ProviderBatches {
  const { provider, pool, paths, tools } = options
  const batchPath = (id: string) => `${paths.batches}/${encodeURIComponent(id)}`
  const filePath = (id: string) => `${paths.files}/${encodeURIComponent(id)}`

  function credentialOf(account: CredentialId): string | null {
    if (account === null) return null
    const credential = pool.credentials.find(({ id }) => id === account)
    if (credential) return credential.value
    throw new ProviderRefusal(
      401,
      `Provider ${provider} no longer has the credential with which the batch was created`,
    )
  }

  async function send(
    account: CredentialId,
    request: Pick<ProviderRequest, 'method' | 'path' | 'body'> & Partial<ProviderRequest>,
  ): Promise<Buffer> {
    const credential = credentialOf(account)
    const sentAtMs = tools.now()
    try {
      const { status, headers, body } = await sendProviderRequest(options, {
        ...{ timeoutMs, maxAnswerBytes, credential },
        ...request,
      })
      if (account !== null) pool.report(account, status, retryAfterMsOf(headers, tools.now()), sentAtMs)
      if (status < 300) return body
      throw new ProviderRefusal(status, `Provider ${provider} answered ${status}`)
    } catch (cause) {
      if (cause instanceof ProviderRefusal || cause instanceof ApiError) throw cause
      if (cause instanceof TransportError) throw cause.error
      if (!(cause instanceof Error)) throw TransportError.from(cause, provider).error
      throw describeFailure(provider, cause).error
    }
  }

  async function sendForObject(...args: Parameters<typeof send>): Promise<JsonObject> {
    const object = parseObject((await send(...args)).toString())
    if (object !== null) return object
    throw new ApiError('upstream_error', `Provider ${provider} sent an answer that is not a JSON object`)
  }

  function readBatch(value: JsonObject): UpstreamBatch {
    const counts = asObject(value.request_counts)
    return {
      id: readId(value.id, provider),
      status: typeof value.status === 'string' ? value.status : 'unknown',
      outputFileId: textOrNull(value.output_file_id),
      errorFileId: textOrNull(value.error_file_id),
      completed: asCount(counts.completed),
      failed: asCount(counts.failed),
    }
  }

  return {
    pickCredential: () => pool.pick()?.id ?? null,
    async upload(account, file) {
      const { bytes, contentType } = encodeUploadForm(file)
      const body = { bytes, contentType }
      const question = { method: 'POST', path: paths.files, body, timeoutMs: transferTimeoutMs } as const
      return readId((await sendForObject(account, question)).id, provider)
    },
    async create(account, { fileId, endpoint, ownId }) {
      const batch = {
        input_file_id: fileId,
        endpoint,
        completion_window: '24h',
        metadata: { [ownIdField]: ownId },
      }
      const body = { bytes: Buffer.from(JSON.stringify(batch)) }
      return readBatch(await sendForObject(account, { method: 'POST', path: paths.batches, body }))
    },
    async findByOwnId(account, ownId) {
      const path = `${paths.batches}?limit=100`
      const { data } = await sendForObject(account, {
        method: 'GET',
        path,
        maxAnswerBytes: 4 * maxAnswerBytes,
      })
      const found = asArray(data).find(
        (each): each is JsonObject => isObject(each) && asObject(each.metadata)[ownIdField] === ownId,
      )
      return found === undefined ? null : readBatch(found)
    },
    async read(account, id) {
      return readBatch(await sendForObject(account, { method: 'GET', path: batchPath(id) }))
    },
    async cancel(account, id) {
      await send(account, { method: 'POST', path: `${batchPath(id)}/cancel` })
    },
    download: (account, fileId) =>
      send(account, {
        ...{ method: 'GET', path: `${filePath(fileId)}/content` },
        ...{ timeoutMs: transferTimeoutMs, maxAnswerBytes: maxDownloadBytes },
      }),
    async remove(account, fileId) {
      await send(account, { method: 'DELETE', path: filePath(fileId) })
    },
  }
}

function readId(value: unknown, provider: string): string {
  const id = textOrNull(value)
  if (id !== null) return id
  throw new ApiError('upstream_error', `Provider ${provider} sent an answer without an id`)
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 256 ? value : null

/**
 * Builds the upload form. The name and the purpose are set by this service; only the file comes from the caller.
 */
function encodeUploadForm(file: Buffer): { bytes: Buffer; contentType: string } {
  const boundary = `tallystick-${randomUUID()}`
  const preamble = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="purpose"',
    '',
    'batch',
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="batch.jsonl"',
    'Content-Type: application/jsonl',
    '',
    '',
  ].join('\r\n')
  return {
    bytes: Buffer.concat([Buffer.from(preamble), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}
