import { asObject, parseObject } from '@tallystick/record/json'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BodyAccount, principalOf } from '../../http/index.js'
import type { CallerSession } from '../../resources/mcp-sessions/index.js'
import { ApiError, notFound } from '../../shared/errors.js'
import { Answer } from './answer/answer.js'
import { keyIdOf, type McpCaller } from './caller.js'
import { replyAddressOf } from './calls/call-channel.js'
import type { McpOptions } from './contract.js'
import { answerRequest, findUsableServer, type MethodParts } from './methods.js'
import { type Accepted, notAcceptable, readAccept } from './protocol/accept.js'
import { classify, modernVersion } from './protocol/classify.js'
import {
  batchVersion,
  defaultVersion,
  envelopeCapabilities,
  olderVersions,
  readInitialize,
} from './protocol/handshake.js'
import {
  idOf,
  type RawMessage,
  type RpcRequest,
  readMessages,
  toReply,
  toRequest,
} from './protocol/message.js'
import { metaOf } from './protocol/meta.js'
import { codes, errorJsonOf, errorText, invalidRequestFault, RpcFault, resultText } from './protocol/rpc.js'

export interface ReceiveParts extends MethodParts {
  /** Opens an account for answers that the caller has not read yet. */
  openAnswer(request: FastifyRequest, reply: FastifyReply): BodyAccount
  /** Opens a stream of changes for a caller of 2026-07-28. */
  listen(request: RpcRequest, caller: McpCaller, reply: FastifyReply): Promise<void>
  /** Called for requests that were answered with an error. Must not throw. */
  onFault(error: unknown, request: FastifyRequest): void
  track<Result>(call: Promise<Result>): Promise<Result>
}

/** Identifies the sender, before its protocol version is known. Throws 404 for the path of a server that the caller may not use. */
export async function identify(
  request: FastifyRequest,
  parts: Pick<McpOptions, 'gateway' | 'servers'>,
): Promise<McpCaller> {
  const principal = principalOf(request)
  const { server: name } = request.params as { server?: string }
  const server = name === undefined ? null : await findUsableServer(name, { principal }, parts)
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

/** Handles `POST`: one message or a batch. */
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
  const { value, messages } = await readMessages(body, parts.yieldToEventLoop, (bytes) => account.take(bytes))
  const [only] = Array.isArray(value) ? [] : messages
  if (only !== undefined) request.mcpId = idOf(only)
  const { era, kind } = await classify(value, messages, request.headers)
  const sender = await identify(request, parts)
  if (era === 'modern') {
    const [message] = await Promise.all(messages.map((each) => toRequest(each, parts.yieldToEventLoop)))
    if (message === undefined || kind === 'notification') return accept(reply)
    const capabilities = envelopeCapabilities(metaOf(message.params))
    const caller = { ...sender, isModern: true, protocolVersion: modernVersion, capabilities }
    if (message.method === 'subscriptions/listen') return await parts.listen(message, caller, reply)
    return await answerAll([message], { caller, accepted, isBatch: false }, request, reply, parts)
  }
  const isInitialize = kind === 'request' && messages[0]?.value.method === 'initialize'
  const caller = isInitialize ? sender : await olderCaller(sender, parts)
  if (kind === 'batch') requireBatch(messages, caller, parts)
  const requests: RpcRequest[] = []
  for (const message of messages) {
    const pending = await handleOlder(message, caller, parts)
    if (pending !== null) requests.push(pending)
  }
  if (requests.length === 0) return accept(reply)
  const [first] = requests
  const begun = isInitialize && first !== undefined ? beginSession(first, caller, reply, parts) : caller
  await answerAll(requests, { caller: begun, accepted, isBatch: kind === 'batch' }, request, reply, parts)
}

/** Answers with 202 and no body. */
function accept(reply: FastifyReply): void {
  reply.code(202).send()
}

/** Adds the protocol version and the session from the headers. */
export async function olderCaller(
  sender: McpCaller,
  { sessions }: Pick<McpOptions, 'sessions'>,
): Promise<McpCaller> {
  const version = textOf(sender.headers['mcp-protocol-version'])?.trim()
  const isKnown = version === undefined || olderVersions.some((each) => each === version)
  if (!isKnown)
    throw new RpcFault(
      {
        code: codes.refused,
        message: `Unsupported protocol version: ${version.slice(0, 40)} (supported: ${[modernVersion, ...olderVersions].join(', ')})`,
      },
      400,
    )
  const session = await sessionOf(sender, sessions)
  return {
    ...sender,
    session,
    protocolVersion: session?.protocolVersion ?? version ?? defaultVersion,
    capabilities: session?.capabilities ?? {},
  }
}

async function sessionOf(
  { headers, principal, keyId, server }: McpCaller,
  sessions: McpOptions['sessions'],
): Promise<CallerSession | null> {
  const token = textOf(headers['mcp-session-id'])
  if (token === undefined) return null
  const holder = { tenantId: principal.tenantId, keyId, server: server?.name ?? null }
  const session = await sessions.find(token, holder)
  // A 404 tells the caller that the session has ended and to begin a new one.
  if (session === null) throw new RpcFault({ code: codes.sessionNotFound, message: 'Session not found' }, 404)
  return session
}

function beginSession(
  request: RpcRequest,
  caller: McpCaller,
  reply: FastifyReply,
  { sessions }: Pick<McpOptions, 'sessions'>,
): McpCaller {
  const { protocolVersion, capabilities } = readInitialize(request.params)
  const { principal, keyId, server } = caller
  const holder = { tenantId: principal.tenantId, keyId, server: server?.name ?? null }
  const { session, token } = sessions.begin({ ...holder, protocolVersion, capabilities })
  reply.header('mcp-session-id', token)
  return { ...caller, session, protocolVersion, capabilities }
}

function requireBatch(
  messages: readonly RawMessage[],
  { protocolVersion }: McpCaller,
  { limits }: Pick<MethodParts, 'limits'>,
): void {
  if (protocolVersion !== batchVersion)
    throw invalidRequestFault(`Only protocol version ${batchVersion} allows several messages at once`)
  if (messages.length > limits.batchMessages)
    throw invalidRequestFault(`More than ${limits.batchMessages} messages at once`)
  if (messages.some(({ value }) => value.method === 'initialize'))
    throw invalidRequestFault('initialize must come alone')
}

/** Returns a request that must be answered. Handles replies and notifications, and returns null for them. */
async function handleOlder(
  message: RawMessage,
  caller: McpCaller,
  parts: ReceiveParts,
): Promise<RpcRequest | null> {
  const reply = toReply(message)
  if (reply !== null) {
    await deliverReply(reply, caller, parts)
    return null
  }
  const request = await toRequest(message, parts.yieldToEventLoop)
  if (request.idJson !== null) return request
  if (request.method === 'notifications/cancelled')
    await parts.cancellations.cancel(caller, request.params.requestId)
  return null
}

/** Delivers a reply to the call that asked. Throws when this caller was not asked. */
async function deliverReply(
  { id, json }: { id: unknown; json: string },
  { session }: McpCaller,
  { tokens, messages, limits }: ReceiveParts,
): Promise<void> {
  if (session === null || typeof id !== 'string' || !tokens.isQuestion(session, id))
    throw invalidRequestFault('The reply has the id of a question that was not sent to this caller')
  if (json.length > limits.replyBytes)
    throw new ApiError('payload_too_large', `The reply has more than ${limits.replyBytes} characters`)
  await messages.send(session.tenantId, replyAddressOf(session.id, id), json)
}

interface Answering {
  caller: McpCaller
  accepted: Accepted
  isBatch: boolean
}

/** Answers each request. The HTTP answer ends when all responses were added. */
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

/** Returns the HTTP status for an error of a server. */
function statusOfError(errorJson: string): number {
  return asObject(parseObject(errorJson)).code === codes.missingCapability ? 400 : 200
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header
