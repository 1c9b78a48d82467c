import type { IncomingHttpHeaders } from 'node:http'
import { invalidField } from '../../../shared/errors.js'
import { isSessionId, readTags, type Tags } from '../../../shared/tags.js'
import { type AgentName, readAgent, readAgentSession } from './agents.js'

/** The labels that a caller gives a call. */
export interface CallLabels {
  session: string | null
  /** The coding agent that made the call. Null when it is not a known one. */
  agent: AgentName | null
  tags: Tags
}

const tagsHeader = 'x-tallystick-tags'
const sessionHeader = 'x-tallystick-session'

/** Reads the labels from headers. Throws when one is invalid, because the call would count towards the wrong budget. */
export const readCallLabels = (headers: IncomingHttpHeaders, defaults: Tags): CallLabels => ({
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

/** Decodes a header as UTF-8. Node delivers headers with one character per byte. */
function readText(name: string, header: string | string[]): string {
  try {
    const bytes = Buffer.from(Array.isArray(header) ? header.join(',') : header, 'latin1')
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidField(name, 'must be UTF-8')
  }
}
