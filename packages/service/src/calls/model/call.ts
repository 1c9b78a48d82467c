import type { IncomingHttpHeaders } from 'node:http'
import { isObject, type JsonBounds, type JsonObject, type Member } from '@tallystick/record/json'
import type { Principal } from '../../http/index.js'
import {
  type Endpoint,
  findUnenforceableMember,
  type Target,
  type UploadedFile,
} from '../../providers/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import { ApiError, invalidField, invalidRequest } from '../../shared/errors.js'
import { readJson } from '../../shared/read-json.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import type { Tags } from '../../shared/tags.js'
import { type CallLabels, type CallProgress, type CallTrace, readCallLabels } from '../core/index.js'
import type { Caller } from './caller.js'
import type { CallContent } from './content.js'
import type { RecordedAnswer } from './idempotency/recorded-answer.js'
import { MultipartForm } from './multipart/form.js'
import { readQuery } from './query.js'

/** An incoming call, over HTTP or as a message of a WebSocket. */
export interface IncomingCall {
  id: string
  principal: Principal
  headers: IncomingHttpHeaders
  /** The URL, including the query. */
  url: string
  /** The body, which must be a Buffer. */
  body: unknown
  /** The answer to replay for an Idempotency-Key. The call runs through every step, but no provider is asked again. */
  recorded?: RecordedAnswer | undefined
}

/** A parsed and validated model call. */
export interface Call extends CallLabels {
  id: string
  endpoint: Endpoint
  /** The body as the caller sent it, byte for byte. For a form, its fields as JSON. */
  raw: Buffer
  body: JsonObject
  members: Member[]
  /** The form that the caller sent. Null when it sent JSON. */
  form: MultipartForm | null
  files: readonly UploadedFile[]
  model: string
  stream: boolean
  headers: IncomingHttpHeaders
  /** The query of the URL, without the question mark. It is forwarded, and policies judge it. */
  query: string
  /** The batch that this call is a line of. Null for other calls. */
  batch: { id: string; line: number } | null
}

/** A call together with its caller. */
export interface ReceivedModelCall {
  call: Call
  entitlements: Entitlements
  caller: Caller
  commitmentKey: Buffer
  /** The commitment to the bytes that the caller sent. */
  commitment: string
  /** Captures the content. Null when the tenant does not capture content. */
  content: CallContent | null
  progress: ModelCallProgress
  recorded?: RecordedAnswer | undefined
}

/** What is known about a model call so far. */
export interface ModelCallProgress extends CallProgress {
  /** Begins the span of a further attempt in the same trace. */
  nextTrace(): CallTrace | null
  call: Call | null
  target: Target | null
}

export interface ReadCallOptions {
  yieldToEventLoop: YieldToEventLoop
  /** Called with the memory that the parsed body needs beyond its bytes. Throws when none is left. */
  charge?(bytes: number): void
}

/**
 * The largest body that is parsed. Real calls are far smaller: the longest embeddings input has 300,000 token numbers, and a conversation
 * of a thousand turns with tools about ten thousand objects. Within these bounds no step of a call takes long.
 */
const bodyBounds: JsonBounds = {
  depth: 500,
  containers: 100_000,
  objectMembers: 10_000,
  members: 200_000,
  values: 500_000,
}

export async function readCall(
  { id, body: sent, headers, url }: Pick<IncomingCall, 'id' | 'body' | 'headers' | 'url'>,
  endpoint: Endpoint,
  defaultTags: Tags,
  options: ReadCallOptions,
): Promise<Call> {
  const labels = readCallLabels(headers, defaultTags)
  const query = readQuery(url, endpoint.shape)
  const form = readForm(sent, headers['content-type'], endpoint.shape)
  const raw = form?.json ?? readBytes(sent)
  const { body, members } = await readBodyObject(raw, options)
  // A member in an unusual spelling, which some servers accept, would be neither counted nor judged.
  const lost = findUnenforceableMember(body, endpoint.shape)
  if (lost !== null) throw invalidField(lost.path, lost.message)
  const { model = endpoint.defaultModel } = body
  if (typeof model !== 'string' || model === '') throw invalidField('model', 'must be the name of a model')
  if (body.stream !== undefined && body.stream !== null && typeof body.stream !== 'boolean') {
    throw invalidField('stream', 'must be true or false')
  }
  const fault = endpoint.faultIn(body)
  if (fault) throw invalidField(fault.path, fault.message)
  const stream = body.stream === true
  const files = form?.files ?? []
  return {
    id,
    endpoint,
    raw,
    body,
    members,
    form,
    files,
    model,
    stream,
    headers,
    query,
    batch: null,
    ...labels,
  }
}

const isForm = (contentType = ''): boolean => /^multipart\/form-data\b/i.test(contentType)

/** Reads a form. Returns null when the endpoint expects JSON. */
function readForm(
  sent: unknown,
  contentType: string | undefined,
  { form }: Endpoint['shape'],
): MultipartForm | null {
  if (isForm(contentType) !== (form !== null))
    throw new ApiError(
      'unsupported_media_type',
      `Send the body as ${form === null ? 'application/json' : 'multipart/form-data'}`,
    )
  return form === null ? null : new MultipartForm(readBytes(sent), contentType ?? '', form)
}

function readBytes(sent: unknown): Buffer {
  if (!Buffer.isBuffer(sent))
    throw new ApiError('unsupported_media_type', 'Send the body as application/json')
  return sent
}

/** Returns what the caller sent, byte for byte. */
export const sentBytesOf = ({ form, raw }: Pick<Call, 'form' | 'raw'>): Buffer => form?.bytes ?? raw

/** Parses the body of a call. */
export async function readBodyObject(
  raw: Buffer,
  { yieldToEventLoop, charge }: ReadCallOptions,
): Promise<{ body: JsonObject; members: Member[] }> {
  const { value: body, members } = await readJson(raw, bodyBounds, yieldToEventLoop, charge)
  if (!isObject(body)) throw invalidRequest('The body must be a JSON object')
  return { body, members }
}
