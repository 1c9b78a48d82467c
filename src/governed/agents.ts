import type { IncomingHttpHeaders } from 'node:http'
import { isSessionId } from '../tags.js'

// What coding agents say of themselves. Seen of Claude Code 2.1, Codex 0.166 and opencode 1.18.

/** A closed list: what a caller writes into `User-Agent` does not get into the record. */
const agents = [
  { name: 'claude-code', userAgent: /^claude-(cli|code)\// },
  { name: 'codex', userAgent: /^codex[_-]/ },
  { name: 'opencode', userAgent: /^opencode\// },
] as const

export type AgentName = (typeof agents)[number]['name']

export const readAgent = ({ 'user-agent': userAgent = '' }: IncomingHttpHeaders): AgentName | null =>
  agents.find((each) => each.userAgent.test(userAgent))?.name ?? null

/** What agents call one run. The last name is used by others too, for what must not be recorded: only opencode's form counts. */
const sessionHeaders = [
  { name: 'x-claude-code-session-id', isSession: isSessionId },
  ...['session_id', 'session-id', 'conversation_id'].map((name) => ({ name, isSession: isSessionId })),
  { name: 'x-session-id', isSession: (value: string) => /^ses_[0-9A-Za-z]{10,60}$/.test(value) },
]

/** Another program's header, which nobody here asked for: what cannot be a session is none. */
export function readAgentSession(headers: IncomingHttpHeaders): string | null {
  for (const { name, isSession } of sessionHeaders) {
    const value = headers[name]
    if (typeof value === 'string' && isSession(value)) return value
  }
  return null
}
