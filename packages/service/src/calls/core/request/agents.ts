import type { IncomingHttpHeaders } from 'node:http'
import { isSessionId } from '../../../shared/tags.js'

// Coding agents identify themselves by headers. These are as sent by Claude Code 2.1, Codex 0.166 and opencode 1.18.

/** The known agents. The list is closed, so that arbitrary text in `User-Agent` does not get into the record. */
const agents = [
  { name: 'claude-code', userAgent: /^claude-(cli|code)\// },
  { name: 'codex', userAgent: /^codex[_-]/ },
  { name: 'opencode', userAgent: /^opencode\// },
] as const

export type AgentName = (typeof agents)[number]['name']

export const readAgent = ({ 'user-agent': userAgent = '' }: IncomingHttpHeaders): AgentName | null =>
  agents.find((each) => each.userAgent.test(userAgent))?.name ?? null

/**
 * The headers in which agents send the id of a run. Other programs use the last one for values that must not be recorded, so only
 * opencode's form is accepted.
 */
const sessionHeaders = [
  { name: 'x-claude-code-session-id', isSession: isSessionId },
  ...['session_id', 'session-id', 'conversation_id'].map((name) => ({ name, isSession: isSessionId })),
  { name: 'x-session-id', isSession: (value: string) => /^ses_[0-9A-Za-z]{10,60}$/.test(value) },
]

/**
 * Returns the session that an agent sent. A value that is not a valid session is ignored, because these headers belong to other programs.
 */
export function readAgentSession(headers: IncomingHttpHeaders): string | null {
  for (const { name, isSession } of sessionHeaders) {
    const value = headers[name]
    if (typeof value === 'string' && isSession(value)) return value
  }
  return null
}
