import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from '../../errors.js'
import type { Principal } from '../../http/index.js'
import type { JsonObject } from '../../json/index.js'
import type { McpServerTerms } from '../../modules/mcp-servers/index.js'
import type { CallerSession } from '../../modules/mcp-sessions/index.js'

/** Who sends a message, on which path, and how it speaks. */
export interface FaceCaller {
  principal: Principal
  keyId: string
  headers: IncomingHttpHeaders
  /** The server of the path; null where the caller sees all of them. */
  server: McpServerTerms | null
  isModern: boolean
  session: CallerSession | null
  protocolVersion: string
  /** What it says that it can do. */
  capabilities: JsonObject
}

export function keyIdOf({ keyId }: Principal): string {
  if (keyId === null) throw unauthorized()
  return keyId
}
