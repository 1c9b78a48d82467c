import type { McpServerTerms } from '../../resources/mcp-servers/index.js'
import { ApiError } from '../../shared/errors.js'
import type { UpstreamOwner } from './contract.js'
import { UpstreamFault } from './fault.js'

/**
 * The credential of a user, for servers with `auth` of type `header` or `oauth`; or why there is none, in words for that user.
 * `refused`: the headers of a request just now that the server did not accept.
 */
export type CredentialHeaders = (
  server: McpServerTerms,
  owner: UpstreamOwner,
  refused?: Readonly<Record<string, string>>,
) => Promise<{ headers: Record<string, string> } | { failure: string }>

export interface HeadersOptions {
  /** Those that all calls to the server have. */
  headersOf(server: McpServerTerms): Promise<Readonly<Record<string, string>>>
  credentialHeaders: CredentialHeaders
  userAgent: string
}

// The connection's and the protocol's own: nobody sets them for a server.
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

/** Every header by which a request says for whom it is made. Throws an `UpstreamFault`. */
export async function headersFor(
  server: McpServerTerms,
  owner: UpstreamOwner,
  options: HeadersOptions,
  refused?: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  try {
    const shared = await options.headersOf(server)
    const own = await ownHeaders(server, owner, options.credentialHeaders, refused)
    return {
      'user-agent': options.userAgent,
      ...allowed(shared),
      ...allowed(own),
      // Compressed bodies are not requested, because they could have any size after decompression.
      'accept-encoding': 'identity',
    }
  } catch (error) {
    if (error instanceof ApiError) throw new UpstreamFault('credential', error.message, { cause: error })
    throw error
  }
}

async function ownHeaders(
  server: McpServerTerms,
  owner: UpstreamOwner,
  credentialHeaders: CredentialHeaders,
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
  const found = await credentialHeaders(server, owner, refused)
  if ('failure' in found) throw new UpstreamFault('credential', found.failure)
  return found.headers
}

function allowed(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !reserved.has(name) && !name.startsWith('mcp-param-')),
  )
}
