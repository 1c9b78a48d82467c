import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalidField, invalidRequest } from '../errors.js'
import { findMembers, isObject, type JsonObject, type Member } from '../json/index.js'
import type { Entitlements } from '../modules/keys/index.js'
import { type Dialect, findLostInput, findOtherSpelling } from '../providers/index.js'

/** One request to the gateway, read and checked as far as the gateway must understand it. */
export interface Call {
  id: string
  dialect: Dialect
  /** What the caller sent, byte for byte. */
  raw: Buffer
  body: JsonObject
  members: Member[]
  model: string
  stream: boolean
  headers: IncomingHttpHeaders
}

/** A call with who made it and how it is answered. */
export interface ReceivedCall {
  call: Call
  entitlements: Entitlements
  reply: FastifyReply
  commitmentKey: Buffer
  /** To the caller's own bytes. */
  commitment: string
  startedMs: number
}

export function readCall({ id, body: raw, headers }: FastifyRequest, dialect: Dialect): Call {
  if (!Buffer.isBuffer(raw)) throw new ApiError('unsupported_media_type', 'Send the body as application/json')
  const body = parseBody(raw)
  const members = findMembers(raw)
  // What parsing loses, a provider may read all the same: it would be neither bounded nor judged.
  const lost = findLostInput(raw) ?? findOtherSpelling(Object.keys(body), dialect.name)
  if (lost !== null) throw invalidField(lost.path, lost.message)
  if (typeof body.model !== 'string' || body.model === '')
    throw invalidField('model', 'must be the name of a model')
  if (body.stream !== undefined && body.stream !== null && typeof body.stream !== 'boolean') {
    throw invalidField('stream', 'must be true or false')
  }
  const fault = dialect.faultIn(body)
  if (fault) throw invalidField(fault.path, fault.message)
  return { id, dialect, raw, body, members, model: body.model, stream: body.stream === true, headers }
}

function parseBody(raw: Buffer): JsonObject {
  if (!isUtf8(raw)) throw invalidRequest('Malformed JSON: the body is not UTF-8')
  let body: unknown
  try {
    body = JSON.parse(raw.toString())
  } catch (error) {
    throw invalidRequest(`Malformed JSON: ${error instanceof Error ? error.message : 'cannot be read'}`)
  }
  if (!isObject(body)) throw invalidRequest('The body must be a JSON object')
  return body
}
