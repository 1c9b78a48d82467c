import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, invalidField, invalidRequest } from '../errors.js'
import type { Stages } from '../governed/index.js'
import { type CallTrace, type Filing, readFiling } from '../governed/index.js'
import type { Principal } from '../http/index.js'
import { isObject, type JsonBounds, type JsonObject, type Member, readJson } from '../json/index.js'
import type { Entitlements } from '../modules/keys/index.js'
import { type Dialect, findUngoverned, type Target, type UploadedFile } from '../providers/index.js'
import type { Tags } from '../tags.js'
import type { WaitForTurn } from '../turns.js'
import type { Caller } from './caller.js'
import type { CallContent } from './content.js'
import { MultipartForm } from './multipart/form.js'
import { readQuery } from './query.js'
import type { RecordedAnswer } from './repeats/recorded-answer.js'

/** What comes in: by HTTP, or as a message of a socket. */
export interface IncomingCall {
  id: string
  principal: Principal
  headers: IncomingHttpHeaders
  /** With its query. */
  url: string
  /** The body as bytes; anything else is refused. */
  body: unknown
  /** The answer that an earlier call got. It is governed and judged like any other, and nobody is asked again. */
  recorded?: RecordedAnswer | undefined
}

/** One request to the gateway, read and checked as far as the gateway must understand it. */
export interface Call extends Filing {
  id: string
  dialect: Dialect
  /** What the caller sent, byte for byte, unless it is a form. */
  raw: Buffer
  body: JsonObject
  members: Member[]
  /** The form that it came as: then `raw` has its fields as JSON. Null where the caller sent JSON. */
  form: MultipartForm | null
  files: readonly UploadedFile[]
  model: string
  stream: boolean
  headers: IncomingHttpHeaders
  /** Of its URL, without the question mark: for the provider, and judged. */
  query: string
  /** The batch whose line it is; null for a call that its caller waits for. */
  batch: { id: string; line: number } | null
}

/** A call with who made it and how it is answered. */
export interface ReceivedCall {
  call: Call
  entitlements: Entitlements
  caller: Caller
  commitmentKey: Buffer
  /** To the caller's own bytes. */
  commitment: string
  /** What is kept of what it says; null where nothing is. */
  content: CallContent | null
  progress: CallProgress
  recorded?: RecordedAnswer | undefined
}

/** What is known of a call so far, and when it came how far: what an operator is told of it, however it ends. */
export interface CallProgress {
  /** Of the attempt that is made now. */
  stages: Stages
  /** Null when traces are off. */
  trace: CallTrace | null
  /** For a further attempt, in the same trace. */
  nextTrace(): CallTrace | null
  entitlements: Entitlements | null
  call: Call | null
  target: Target | null
  /** It has been told: an error that is sent to the caller now is not told again. */
  isTold: boolean
}

export interface ReadCallOptions {
  waitForTurn: WaitForTurn
  /** Told how much memory the body takes beyond its bytes; throws when there is none left. */
  charge?(bytes: number): void
}

/**
 * Far beyond what calls have: the longest input of embeddings is 300,000 token numbers, a conversation of a thousand turns with its
 * tools some ten thousand objects. And few enough that no step of a call takes long.
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
  dialect: Dialect,
  defaultTags: Tags,
  options: ReadCallOptions,
): Promise<Call> {
  const filing = readFiling(headers, defaultTags)
  const query = readQuery(url, dialect.inputOf ?? dialect.name)
  const form = readForm(sent, headers['content-type'], dialect)
  const raw = form?.json ?? readBytes(sent)
  const { body, members } = await readBodyObject(raw, options)
  // What some server reads all the same would be neither bounded nor judged.
  const lost = findUngoverned(body, dialect.inputOf ?? dialect.name)
  if (lost !== null) throw invalidField(lost.path, lost.message)
  const { model = dialect.defaultModel } = body
  if (typeof model !== 'string' || model === '') throw invalidField('model', 'must be the name of a model')
  if (body.stream !== undefined && body.stream !== null && typeof body.stream !== 'boolean') {
    throw invalidField('stream', 'must be true or false')
  }
  const fault = dialect.faultIn(body)
  if (fault) throw invalidField(fault.path, fault.message)
  const stream = body.stream === true
  const files = form?.files ?? []
  return {
    id,
    dialect,
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
    ...filing,
  }
}

const isForm = (contentType = ''): boolean => /^multipart\/form-data\b/i.test(contentType)

/** Null where the dialect speaks JSON. Each endpoint takes one of both. */
function readForm(sent: unknown, contentType: string | undefined, { form }: Dialect): MultipartForm | null {
  if (isForm(contentType) !== (form !== undefined))
    throw new ApiError(
      'unsupported_media_type',
      `Send the body as ${form === undefined ? 'application/json' : 'multipart/form-data'}`,
    )
  return form === undefined ? null : new MultipartForm(readBytes(sent), contentType ?? '', form)
}

function readBytes(sent: unknown): Buffer {
  if (!Buffer.isBuffer(sent))
    throw new ApiError('unsupported_media_type', 'Send the body as application/json')
  return sent
}

/** What the caller sent, byte for byte. */
export const sentBytesOf = ({ form, raw }: Pick<Call, 'form' | 'raw'>): Buffer => form?.bytes ?? raw

/** The body of a call, also after it was changed. */
export async function readBodyObject(
  raw: Buffer,
  { waitForTurn, charge }: ReadCallOptions,
): Promise<{ body: JsonObject; members: Member[] }> {
  const { value: body, members } = await readJson(raw, bodyBounds, waitForTurn, charge)
  if (!isObject(body)) throw invalidRequest('The body must be a JSON object')
  return { body, members }
}
