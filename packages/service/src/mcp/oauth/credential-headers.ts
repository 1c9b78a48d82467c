import {
  type CredentialKey,
  type Grant,
  isOf,
  type McpCredentials,
  subjectOf,
} from '../../resources/mcp-credentials/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import type { UpstreamOwner } from '../client/index.js'
import { ConsentFault } from './fault.js'
import { hasEnded, isDue } from './grant.js'
import type { Renewal } from './renewal.js'

/** The credential headers of a call, or why there are none, as a message for the user. `consentUrl` is where the user can give consent. */
export type CredentialAnswer = { headers: Record<string, string> } | { failure: string; consentUrl?: string }

export interface HeaderParts {
  credentials: McpCredentials
  renewal: Renewal
  /** The public address of the service. Null when it is not configured. */
  consentUrl(server: ToolServer, owner: UpstreamOwner): Promise<string | null>
}

// A server that refuses a token that was just renewed would refuse the next one too, so it is not renewed again.
const renewAgainMs = 30_000

const headersOf = ({ accessToken }: Grant) => ({ authorization: `Bearer ${accessToken}` })

export function createCredentialHeaders({ credentials, renewal, consentUrl }: HeaderParts) {
  async function requireConsent(
    server: ToolServer,
    owner: UpstreamOwner,
    why: string,
  ): Promise<CredentialAnswer> {
    const url = await consentUrl(server, owner)
    const how =
      url === null
        ? `POST /v1/mcp-servers/${server.id}/connect gives a link for your browser`
        : `open ${url} in your browser`
    return { failure: `${why}: ${how}`, ...(url !== null && { consentUrl: url }) }
  }

  async function renewGrant(
    server: ToolServer,
    owner: UpstreamOwner,
    key: CredentialKey,
    isStale: (grant: Grant) => boolean,
  ): Promise<CredentialAnswer> {
    const grant = await renewal.renew(server, key, isStale)
    if (grant !== null) return { headers: headersOf(grant) }
    return await requireConsent(server, owner, `Your consent for MCP server ${server.name} has ended`)
  }

  async function useGrant(
    server: ToolServer,
    owner: UpstreamOwner,
    key: CredentialKey,
    grant: Grant,
    refused: string | undefined,
  ): Promise<CredentialAnswer> {
    const isRefused = (each: Grant) => refused === headersOf(each).authorization
    const isStale = (each: Grant) => isRefused(each) || isDue(each, Date.now())
    if (!isStale(grant)) return { headers: headersOf(grant) }
    const isNew = grant.obtainedAtMs + renewAgainMs > Date.now()
    if (isRefused(grant) && (isNew || grant.refreshToken === null))
      return await requireConsent(
        server,
        owner,
        `MCP server ${server.name} refuses what your consent gave; give it again`,
      )
    try {
      return await renewGrant(server, owner, key, isStale)
    } catch (error) {
      if (!(error instanceof ConsentFault)) throw error
      if (!isRefused(grant) && !hasEnded(grant, Date.now())) return { headers: headersOf(grant) }
      return { failure: `Your access to MCP server ${server.name} cannot be renewed now: ${error.message}` }
    }
  }

  /** `refused` are the headers of a call that the server has just refused. */
  return async (
    server: ToolServer,
    owner: UpstreamOwner,
    refused: Readonly<Record<string, string>> = {},
  ): Promise<CredentialAnswer> => {
    const key = { tenantId: owner.tenantId, serverId: server.id, subject: subjectOf(owner) }
    const credential = await credentials.read(key)
    if (credential === null || !isOf(server, credential))
      return server.auth.type === 'oauth'
        ? await requireConsent(server, owner, `Connect your account to MCP server ${server.name} first`)
        : {
            failure: `Store your credential for MCP server ${server.name} first: PUT /v1/mcp-servers/${server.id}/credential`,
          }
    if (credential.type === 'oauth')
      return await useGrant(server, owner, key, credential.grant, refused.authorization)
    const header = server.auth.type === 'header' ? server.auth.header.toLowerCase() : ''
    return refused[header] === credential.value
      ? { failure: `MCP server ${server.name} refuses your credential: store another` }
      : { headers: { [header]: credential.value } }
  }
}
