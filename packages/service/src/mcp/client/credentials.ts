import type { ToolServer } from '../../resources/mcp-servers/index.js'
import { ApiError } from '../../shared/errors.js'
import type { UpstreamOwner } from './contract.js'
import { UpstreamFault } from './fault.js'

/**
 * Returns the headers with a user's credential, for servers with `auth` of type `header` or `oauth`. Without a credential, it returns why
 * there is none, as a message for that user. `refused` are the headers of a request that the server has just refused.
 */
export type ReadCredentialHeaders = (
  server: ToolServer,
  owner: UpstreamOwner,
  refused?: Readonly<Record<string, string>>,
) => Promise<{ headers: Record<string, string> } | { failure: string }>

export interface HeadersOptions {
  /** Returns the headers that all calls to the server have. */
  headersOf(server: ToolServer): Promise<Readonly<Record<string, string>>>
  readCredentialHeaders: ReadCredentialHeaders
  userAgent: string
}

/** Headers that belong to the connection or the protocol. They cannot be configured for a server. */
const reserved = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Returns the headers that identify this service and the user of a request. Throws an `UpstreamFault`. */
export async function headersFor(
  server: ToolServer,
  owner: UpstreamOwner,
  options: HeadersOptions,
  refused?: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  try {
    const shared = await options.headersOf(server)
    const own = await readUserHeaders(server, owner, options.readCredentialHeaders, refused)
    return {
      'user-agent': options.userAgent,
      ...withoutReserved(shared),
      ...withoutReserved(own),
      // Compressed bodies are not requested, because they could have any size after decompression.
      'accept-encoding': 'identity',
    }
  } catch (error) {
    if (error instanceof ApiError) throw new UpstreamFault('credential', error.message, { cause: error })
    throw error
  }
}

async function readUserHeaders(
  server: ToolServer,
  owner: UpstreamOwner,
  readCredentialHeaders: ReadCredentialHeaders,
  refused: Readonly<Record<string, string>> | undefined,
): Promise<Record<string, string>> {
  const { type } = server.auth
  if (type === 'none') return {}
  if (type === 'passthrough') {
    if (owner.authorization !== null) return { authorization: owner.authorization }
    throw new UpstreamFault(
      'credential',
      `The server ${server.name} takes your own Authorization header: send it, and the virtual key as X-Tallystick-Key`,
    )
  }
  const found = await readCredentialHeaders(server, owner, refused)
  if ('failure' in found) throw new UpstreamFault('credential', found.failure)
  return found.headers
}

function withoutReserved(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !reserved.has(name) && !name.startsWith('mcp-param-')),
  )
}
