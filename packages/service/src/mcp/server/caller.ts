import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '@tallystick/record/json'
import type { Principal } from '../../http/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import type { CallerSession } from '../../resources/mcp-sessions/index.js'
import { unauthorized } from '../../shared/errors.js'

/** The sender of a message, with its path, protocol version and capabilities. */
export interface McpCaller {
  principal: Principal
  keyId: string
  headers: IncomingHttpHeaders
  /** The server of the path. Null when the caller sees all servers. */
  server: ToolServer | null
  isModern: boolean
  session: CallerSession | null
  protocolVersion: string
  /** The capabilities that the caller declared. */
  capabilities: JsonObject
}

export function keyIdOf({ keyId }: Principal): string {
  if (keyId === null) throw unauthorized()
  return keyId
}
