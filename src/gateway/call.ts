import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { invalidField, invalidRequest } from '../errors.js'
import { bearerToken } from '../http/index.js'
import { type Dialect, type JsonObject, isObject } from '../providers/index.js'
import { findMembers, findRepeatedMember, type Member } from './json-members.js'

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

export function readCall(id: string, dialect: Dialect, raw: Buffer, headers: IncomingHttpHeaders): Call {
  const body = parseBody(raw)
  const members = findMembers(raw)
  const repeated = findRepeatedMember(members)
  if (repeated !== null) throw invalidField(repeated, 'stands twice in the body')
  if (typeof body.model !== 'string' || body.model === '') throw invalidField('model', 'must be the name of a model')
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

/** OpenAI's clients send `Authorization: Bearer`, Anthropic's `x-api-key`. */
export function keyValueOf(headers: IncomingHttpHeaders): string | null {
  const apiKey = headers['x-api-key']
  return bearerToken(headers.authorization) ?? (typeof apiKey === 'string' ? apiKey.trim() : null)
}
