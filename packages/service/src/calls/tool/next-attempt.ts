import { isObject, type JsonObject } from '@tallystick/record/json'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import { type CallKind, type PipelineParts, planCall, startStages } from '../core/index.js'
import type { EndedToolAttempt, ToolAttempt, ToolTypes } from './call.js'
import type { ToolRequest } from './contract.js'
import { readObject, unknownTarget } from './read-call.js'

export interface NextAttemptParts extends PipelineParts {
  /** Reads the current settings of a server. */
  findServer(tenantId: string, name: string): Promise<ToolServer | null>
}

/** How many attempts a call may take when its server keeps asking for input. */
const maxRounds = 8

/** Returns the result that asks for input, when the caller speaks an older protocol that cannot receive it. Null otherwise. */
export const needsInput = ({ attempt, answer, fault }: EndedToolAttempt): JsonObject | null =>
  fault === null && !attempt.call.request.isModern ? answer.inputRequired : null

/**
 * Asks a caller of the older protocol for the input that a server of the newer protocol requires, and returns the attempt that sends it.
 * Each attempt has its own receipt. Null when the caller cannot be asked.
 */
export async function askAgain(
  { attempt }: EndedToolAttempt,
  required: JsonObject,
  kind: CallKind<ToolTypes>,
  parts: NextAttemptParts,
): Promise<ToolAttempt | null> {
  const { call, caller, progress, number } = attempt
  const { request } = call
  const paramsJson = number < maxRounds ? await withInput(request, required, parts.yieldToEventLoop) : null
  if (paramsJson === null) return null
  // Asking takes a while, so the server is read again: it may have changed.
  const server = await parts.findServer(request.server.tenantId, request.server.name)
  if (server?.enabled !== true || server.id !== request.server.id)
    throw unknownTarget(request.method, request.name)
  const { id, principal } = call
  const again = { id, tool: { ...request, server }, paramsJson, principal, caller, progress }
  progress.stages = startStages(parts.now())
  const planned = await planCall(kind, again, parts)
  const nowMs = parts.now()
  progress.stages = { ...startStages(nowMs), readMs: nowMs, receivedMs: nowMs, plannedMs: nowMs }
  return { ...planned, number: number + 1 }
}

/** Returns the params with the caller's answers to the questions of the server. Null when the caller cannot be asked. */
async function withInput(
  { channel, paramsJson }: ToolRequest,
  required: JsonObject,
  yieldToEventLoop: YieldToEventLoop,
): Promise<string | null> {
  const { ask } = channel
  const { inputRequests, requestState } = required
  if (ask === null || !isObject(inputRequests)) return null
  const responses: [string, unknown][] = []
  for (const [id, question] of Object.entries(inputRequests)) {
    if (!isObject(question) || typeof question.method !== 'string') return null
    const reply = await readObject(
      await ask(question.method, JSON.stringify(question.params ?? {})),
      yieldToEventLoop,
    )
    if (!isObject(reply.result)) return null
    responses.push([id, reply.result])
  }
  const members = [`"inputResponses":${JSON.stringify(Object.fromEntries(responses))}`]
  if (requestState !== undefined) members.push(`"requestState":${JSON.stringify(requestState)}`)
  // Appended as text, so that the other members keep their exact form.
  const end = paramsJson.lastIndexOf('}')
  return `${paramsJson.slice(0, end)},${members.join(',')}}`
}
