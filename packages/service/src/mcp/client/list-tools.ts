import { asArray, isObject, type JsonObject } from '@tallystick/record/json'
import { ApiError } from '../../shared/errors.js'
import { readJson } from '../../shared/read-json.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import type { UpstreamEnd } from './contract.js'
import { badAnswer, UpstreamFault } from './fault.js'
import { messageBounds } from './protocol/messages.js'

// Models read the whole list in each call, so a longer one would not be usable.
const maxPages = 50
const maxTools = 1_000
const maxBytes = 8 * 1024 * 1024

/** Lists all tools of a server, page by page. Throws an `UpstreamFault`. */
export async function listTools(
  requestPage: (paramsJson: string, maxBytes: number) => Promise<UpstreamEnd>,
  yieldToEventLoop: YieldToEventLoop,
): Promise<JsonObject[]> {
  const tools: JsonObject[] = []
  const cursors = new Set<string>()
  let bytesLeft = maxBytes
  let cursor: string | null = null
  do {
    const end = await requestPage(cursor === null ? '{}' : JSON.stringify({ cursor }), bytesLeft)
    const json = Buffer.from(resultOf(end))
    bytesLeft -= json.length
    const { value } = await readJson(json, messageBounds, yieldToEventLoop)
    const page = isObject(value) ? value : {}
    if (!Array.isArray(page.tools))
      throw badAnswer('The server answered with a list of tools that cannot be read')
    for (const tool of asArray(page.tools)) {
      if (!isObject(tool)) throw badAnswer('The server listed a tool that is not an object')
      tools.push(tool)
    }
    if (tools.length > maxTools) throw badAnswer(`The server lists more than ${maxTools} tools`)
    cursor = cursorOf(page)
    if (cursor !== null && cursors.has(cursor))
      throw badAnswer('The server returned the same cursor twice, so its list of tools has no end')
    if (cursor !== null) cursors.add(cursor)
    if (cursors.size >= maxPages) throw badAnswer(`The server lists its tools on more than ${maxPages} pages`)
  } while (cursor !== null)
  return tools
}

const maxCursorChars = 65_536

function cursorOf({ nextCursor }: JsonObject): string | null {
  if (typeof nextCursor !== 'string' || nextCursor === '') return null
  if (nextCursor.length > maxCursorChars) throw badAnswer('The server returned a cursor that is too long')
  return nextCursor
}

function resultOf(end: UpstreamEnd): string {
  if (end.type === 'result') return end.json
  if (end.type === 'failure') throw new UpstreamFault(end.failure, end.message)
  if (end.type === 'fault') throw end.cause
  throw badAnswer(`The server refused to list its tools (error ${end.code})`)
}

/** Converts a failure into an error for the managers of the server. Rethrows other errors. */
export function toListingError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (!(error instanceof UpstreamFault)) throw error
  const type = error.failure === 'timeout' ? 'upstream_timeout' : 'upstream_error'
  return new ApiError(type, error.message, {}, { cause: error })
}
