import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, notFound } from '../../errors.js'
import { type BodyAccount, principalOf } from '../../http/index.js'
import { asObject, parseObject } from '../../json/index.js'
import type { CallerSession } from '../../modules/mcp-sessions/index.js'
import { type Accepted, notAcceptable, readAccept } from './accept.js'
import { Answer } from './answer.js'
import { addressOfReply } from './call-line.js'
import { classify, modernVersion } from './classify.js'
import type { McpOptions } from './contract.js'
import { type FaceCaller, keyIdOf } from './face-caller.js'
import {
  batchVersion,
  defaultVersion,
  envelopeCapabilities,
  olderVersions,
  readInitialize,
} from './handshake.js'
import { idOf, type RawMessage, type RpcRequest, readMessages, toReply, toRequest } from './message.js'
import { metaOf } from './meta.js'
import { answerRequest, findUsable, type MethodParts } from './methods.js'
import { codes, errorJsonOf, errorText, invalidRequestFault, RpcFault, resultText } from './rpc.js'

export interface ReceiveParts extends MethodParts {
  /** For answers that callers have not read yet. */
  openAnswer(request: FastifyRequest, reply: FastifyReply): BodyAccount
  /** Waits for changes on behalf of a caller of 2026-07-28. */
  listen(request: RpcRequest, caller: FaceCaller, reply: FastifyReply): Promise<void>
  /** Of requests that were answered with an error. Must not throw. */
  onFault(error: unknown, request: FastifyRequest): void
  track<Result>(call: Promise<Result>): Promise<Result>
}

/** Who sends, before it is known how it speaks. Throws 404 for a path of a server that the caller may not use. */
export async function identify(
  request: FastifyRequest,
  parts: Pick<McpOptions, 'rules' | 'servers'>,
): Promise<FaceCaller> {
  const principal = principalOf(request)
  const { server: name } = request.params as { server?: string }
  const server = name === undefined ? null : await findUsable(name, { principal }, parts)
  if (name !== undefined && server === null) throw notFound('MCP server')
  return {
    principal,
    keyId: keyIdOf(principal),
    headers: request.headers,
    server,
    isModern: false,
    session: null,
    protocolVersion: defaultVersion,
    capabilities: {},
  }
}

/** `POST`: a message, or several. */
export async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  account: BodyAccount,
  parts: ReceiveParts,
): Promise<void> {
  const accepted = readAccept(request.headers.accept)
  const body = request.body
  if (!Buffer.isBuffer(body))
    throw new ApiError('unsupported_media_type', 'Send the body as application/json')
  const { value, messages } = await readMessages(body, parts.waitForTurn, (bytes) => account.take(bytes))
  const [only] = Array.isArray(value) ? [] : messages
  if (only !== undefined) request.mcpId = idOf(only)
  const { era, kind } = await classify(value, messages, request.headers)
  const someone = await identify(request, parts)
  if (era === 'modern') {
    const [message] = await Promise.all(messages.map((each) => toRequest(each, parts.waitForTurn)))
    if (message === undefined || kind === 'notification') return accept(reply)
    const capabilities = envelopeCapabilities(metaOf(message.params))
    const caller = { ...someone, isModern: true, protocolVersion: modernVersion, capabilities }
    if (message.method === 'subscriptions/listen') return await parts.listen(message, caller, reply)
    return await answerAll([message], { caller, accepted, isBatch: false }, request, reply, parts)
  }
  const isInitialize = kind === 'request' && messages[0]?.value.method === 'initialize'
  const caller = isInitialize ? someone : await olderCaller(someone, parts)
  if (kind === 'batch') requireBatch(messages, caller, parts)
  const requests: RpcRequest[] = []
  for (const message of messages) {
    const asked = await takeOlder(message, caller, parts)
    if (asked !== null) requests.push(asked)
  }
  if (requests.length === 0) return accept(reply)
  const [first] = requests
  const begun = isInitialize && first !== undefined ? begin(first, caller, reply, parts) : caller
  await answerAll(requests, { caller: begun, accepted, isBatch: kind === 'batch' }, request, reply, parts)
}

/** Nothing comes back. */
function accept(reply: FastifyReply): void {
  reply.code(202).send()
}

/** The version and the session that its headers say. */
export async function olderCaller(
  someone: FaceCaller,
  { sessions }: Pick<McpOptions, 'sessions'>,
): Promise<FaceCaller> {
  const version = textOf(someone.headers['mcp-protocol-version'])?.trim()
  const isKnown = version === undefined || olderVersions.some((each) => each === version)
  if (!isKnown)
    throw new RpcFault(
      {
        code: codes.refused,
        message: `Unsupported protocol version: ${version.slice(0, 40)} (supported: ${[modernVersion, ...olderVersions].join(', ')})`,
      },
      400,
    )
  const session = await sessionOf(someone, sessions)
  return {
    ...someone,
    session,
    protocolVersion: session?.protocolVersion ?? version ?? defaultVersion,
    capabilities: session?.capabilities ?? {},
  }
}

async function sessionOf(
  { headers, principal, keyId, server }: FaceCaller,
  sessions: McpOptions['sessions'],
): Promise<CallerSession | null> {
  const token = textOf(headers['mcp-session-id'])
  if (token === undefined) return null
  const place = { tenantId: principal.tenantId, keyId, server: server?.name ?? null }
  const session = await sessions.find(token, place)
  // An end of the session, for the caller: it begins again.
  if (session === null) throw new RpcFault({ code: codes.sessionNotFound, message: 'Session not found' }, 404)
  return session
}

function begin(
  request: RpcRequest,
  caller: FaceCaller,
  reply: FastifyReply,
  { sessions }: Pick<McpOptions, 'sessions'>,
): FaceCaller {
  const { protocolVersion, capabilities } = readInitialize(request.params)
  const { principal, keyId, server } = caller
  const terms = { tenantId: principal.tenantId, keyId, server: server?.name ?? null }
  const { session, token } = sessions.begin({ ...terms, protocolVersion, capabilities })
  reply.header('mcp-session-id', token)
  return { ...caller, session, protocolVersion, capabilities }
}

function requireBatch(
  messages: readonly RawMessage[],
  { protocolVersion }: FaceCaller,
  { limits }: Pick<MethodParts, 'limits'>,
): void {
  if (protocolVersion !== batchVersion)
    throw invalidRequestFault(`Several messages at once are of protocol version ${batchVersion} alone`)
  if (messages.length > limits.batchMessages)
    throw invalidRequestFault(`More than ${limits.batchMessages} messages at once`)
  if (messages.some(({ value }) => value.method === 'initialize'))
    throw invalidRequestFault('initialize must come alone')
}

/** A request that wants an answer; null for what wants none, which is done then. */
async function takeOlder(
  message: RawMessage,
  caller: FaceCaller,
  parts: ReceiveParts,
): Promise<RpcRequest | null> {
  const reply = toReply(message)
  if (reply !== null) {
    await passReply(reply, caller, parts)
    return null
  }
  const request = await toRequest(message, parts.waitForTurn)
  if (request.idJson !== null) return request
  if (request.method === 'notifications/cancelled')
    await parts.cancellations.cancel(caller, request.params.requestId)
  return null
}

/** A reply goes to whoever asked, and to nobody else's question. */
async function passReply(
  { id, json }: { id: unknown; json: string },
  { session }: FaceCaller,
  { tokens, messages, limits }: ReceiveParts,
): Promise<void> {
  if (session === null || typeof id !== 'string' || !tokens.isQuestion(session, id))
    throw invalidRequestFault('Nobody has asked this caller what this replies to')
  if (json.length > limits.replyBytes)
    throw new ApiError('payload_too_large', `The reply has more than ${limits.replyBytes} characters`)
  await messages.send(session.tenantId, addressOfReply(session.id, id), json)
}

interface Answering {
  caller: FaceCaller
  accepted: Accepted
  isBatch: boolean
}

/** Each request by itself; the answer ends when all are there. */
async function answerAll(
  requests: readonly RpcRequest[],
  { caller, accepted, isBatch }: Answering,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ReceiveParts,
): Promise<void> {
  if (!accepted.json && !accepted.stream) throw notAcceptable('application/json or text/event-stream')
  const account = parts.openAnswer(request, reply)
  const answer = new Answer(reply, { accepted, isBatch, limits: parts.limits, account })
  await Promise.all(
    requests.map(async (each) => {
      const idJson = each.idJson ?? 'null'
      try {
        const outcome = await parts.track(answerRequest({ request: each, caller, answer }, parts))
        if (outcome === 'cancelled') return
        const { headers } = outcome
        const json =
          'resultJson' in outcome
            ? resultText(idJson, outcome.resultJson)
            : errorText(idJson, outcome.errorJson)
        const status = caller.isModern && 'errorJson' in outcome ? statusOfError(outcome.errorJson) : 200
        answer.respond({ idJson, json, status, ...(headers && { headers }) })
      } catch (error) {
        parts.onFault(error, request)
        const status = error instanceof RpcFault ? error.status : 200
        answer.respond({ idJson, json: errorText(idJson, errorJsonOf(error)), status })
      }
    }),
  )
  answer.end()
}

/** What a server says that newer callers learn from the status too. */
function statusOfError(errorJson: string): number {
  return asObject(parseObject(errorJson)).code === codes.missingCapability ? 400 : 200
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header
