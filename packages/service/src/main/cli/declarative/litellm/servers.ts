import { isObject, type Json, stringOf } from '../json.js'
import { type Conversion, referenceTo, slugOf } from './conversion.js'

/** `mcp_servers` become MCP servers, whose tools a manager approves. */
export function convertServers(config: Json, { add, report }: Conversion): void {
  const servers = Object.entries(isObject(config.mcp_servers) ? config.mcp_servers : {})
  for (const [key, server] of servers) {
    const path = `mcp_servers.${key}`
    if (!isObject(server) || typeof server.url !== 'string') {
      report(path, 'has no url; start servers over stdio from tallystick.yaml')
      continue
    }
    const name = slugOf(key).slice(0, 32)
    const { reference, isCopied } = referenceTo(
      server.auth_value ?? server.authentication_token,
      `mcp_${name}_token`,
    )
    const headers = headersOf(stringOf(server.auth_type), reference)
    if (headers === null)
      report(`${path}.auth_type`, `"${String(server.auth_type)}" has no equivalent here; set auth or headers`)
    else if (Object.keys(headers).length > 0 && !isCopied)
      report(path, `its credential was not copied; set the variable in ${reference}`)
    if (server.transport === 'sse')
      report(`${path}.transport`, 'servers are called over Streamable HTTP, not SSE')
    add('McpServer', name, {
      url: server.url,
      ...(headers !== null && Object.keys(headers).length > 0 && { headers }),
    })
  }
}

function headersOf(type: string, reference: string): Record<string, string> | null {
  if (type === '' || type === 'none') return {}
  if (type === 'bearer_token') return { authorization: `Bearer ${reference}` }
  if (type === 'api_key') return { 'x-api-key': reference }
  if (type === 'authorization') return { authorization: reference }
  return null
}
