import type { IncomingHttpHeaders } from 'node:http'
import { invalidField } from '../errors.js'
import { isSessionId, readTags, type Tags } from '../tags.js'
import { type AgentName, readAgent, readAgentSession } from './agents.js'

/** What the caller says that a call belongs to. */
export interface Filing {
  session: string | null
  /** The coding agent that made the call, where it is a known one. */
  agent: AgentName | null
  tags: Tags
}

const tagsHeader = 'x-tallystick-tags'
const sessionHeader = 'x-tallystick-session'

/** A header of ours that cannot be read is refused: the call would count for the wrong budget. */
export const readFiling = (headers: IncomingHttpHeaders, defaults: Tags): Filing => ({
  session: readSession(headers),
  agent: readAgent(headers),
  tags: readTagsHeader(headers[tagsHeader], defaults),
})

function readTagsHeader(header: string | string[] | undefined, defaults: Tags): Tags {
  if (header === undefined) return defaults
  const read = readTags(readText(tagsHeader, header), defaults)
  if ('fault' in read) throw invalidField(tagsHeader, read.fault)
  return read.tags
}

function readSession(headers: IncomingHttpHeaders): string | null {
  const own = headers[sessionHeader]
  if (own !== undefined) {
    const session = readText(sessionHeader, own).trim()
    if (!isSessionId(session))
      throw invalidField(
        sessionHeader,
        'must have 1 to 128 printable characters, and be neither * nor a virtual key',
      )
    return session
  }
  return readAgentSession(headers)
}

/** Headers arrive as bytes, one per character. */
function readText(name: string, header: string | string[]): string {
  try {
    const bytes = Buffer.from(Array.isArray(header) ? header.join(',') : header, 'latin1')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidField(name, 'must be UTF-8')
  }
}
