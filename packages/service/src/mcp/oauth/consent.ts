import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type Db, inTransaction } from '../../db/index.js'
import { requireAllowedUrl, type UrlRules } from '../../outbound/index.js'
import {
  type Consent,
  type ConsentLinks,
  type Consents,
  hashOf,
  keepCredential,
  type McpCredentials,
  subjectOf,
} from '../../resources/mcp-credentials/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import { notFound } from '../../shared/errors.js'
import { callerNameOf } from './caller-name.js'
import { chooseClient, type IdentityParts, informationOf } from './client-identity.js'
import { translateFaults } from './describe-fault.js'
import { discover } from './discover.js'
import { ConsentFault } from './fault.js'
import { keptMetadata, readTokens } from './grant.js'
import { loadSdk } from './sdk.js'
import type { VettedFetch } from './vetted-fetch.js'

export interface ConsentParts extends IdentityParts {
  db: Db
  links: ConsentLinks
  consents: Consents
  credentials: McpCredentials
  vetted: VettedFetch
  urlRules: UrlRules
  findServer(tenantId: string, id: string): Promise<ToolServer | null>
}

/** The user and the server of a consent, which the page shows. */
export interface ConsentSubject {
  server: string
  caller: string
}

export interface StartedConsent extends ConsentSubject {
  /** The URL to which the browser is redirected. */
  url: URL
  /** The host that receives the permission, when it is another one and the user has to know. */
  otherHost: string | null
  /** The cookie that the browser must present when it returns. */
  cookie: { name: string; value: string }
}

export interface ConsentFlow {
  /** Starts a consent. Throws a `ConsentFault` whose message the page shows. */
  start(link: string, addresses: { redirectUri: string; documentUrl: string | null }): Promise<StartedConsent>
  /** Stores the credential when the browser returns. Throws a `ConsentFault` whose message the page shows. */
  finish(query: URLSearchParams, cookieOf: (name: string) => string | undefined): Promise<ConsentSubject>
}

const tooOld = () => new ConsentFault('This link was already used or has expired: ask for a new one', false)

export const cookieNameOf = (state: string): string => `tallystick_mcp_${hashOf(state).slice(0, 16)}`

export function createConsentFlow(parts: ConsentParts): ConsentFlow {
  const { db, links, consents, credentials, vetted } = parts

  async function requireServer(tenantId: string, id: string): Promise<ToolServer & { url: string }> {
    const server = await parts.findServer(tenantId, id)
    if (server === null || server.auth.type !== 'oauth' || server.transport.type !== 'http')
      throw new ConsentFault('The server was deleted or does not use OAuth any more', false)
    return { ...server, url: server.transport.url }
  }

  async function start(
    link: string,
    { redirectUri, documentUrl }: { redirectUri: string; documentUrl: string | null },
  ): Promise<StartedConsent> {
    const opened = await links.open(link)
    if (opened === null) throw tooOld()
    const { actor } = opened
    const server = await requireServer(actor.tenantId, opened.serverId)
    const sdk = await loadSdk()
    const scopes = server.auth.type === 'oauth' ? server.auth.scopes : []
    const found = await translateFaults(sdk, () => discover(sdk, vetted, server.url, scopes))
    const client = await chooseClient(sdk, vetted, parts, { ...found, server, redirectUri, documentUrl })
    const information = await informationOf(client, server, parts)
    if (information === null) throw tooOld()
    const state = randomBytes(32).toString('base64url')
    const { authorizationUrl, codeVerifier } = await translateFaults(sdk, () =>
      sdk.startAuthorization(found.authorizationServerUrl, {
        metadata: found.metadata,
        clientInformation: information,
        redirectUrl: redirectUri,
        state,
        resource: found.resource,
        ...(found.scope !== null && { scope: found.scope }),
      }),
    )
    requireAllowedUrl(authorizationUrl.href, 'The page for consent', parts.urlRules)
    const value = randomBytes(32).toString('base64url')
    const subject = subjectOf(actor)
    await consents.begin(state, {
      ...{
        tenantId: actor.tenantId,
        serverId: server.id,
        subject,
        actor,
        url: server.url,
        client,
        codeVerifier,
      },
      ...{ resource: found.resource, scope: found.scope, redirectUri, browser: hashOf(value) },
      authorizationServer: keptMetadata(found.metadata),
    })
    return {
      url: authorizationUrl,
      otherHost: found.otherHost,
      cookie: { name: cookieNameOf(state), value },
      server: server.name,
      caller: await callerNameOf(db, actor),
    }
  }

  async function finish(
    query: URLSearchParams,
    cookieOf: (name: string) => string | undefined,
  ): Promise<ConsentSubject> {
    const state = query.get('state') ?? ''
    const consent = await consents.find(state)
    if (consent === null) throw tooOld()
    // An attacker could send the address of their own consent to a victim, and would receive access to the victim's account. The consent is
    // not ended, so that the browser that began it can still finish.
    if (!isSame(hashOf(cookieOf(cookieNameOf(state)) ?? ''), consent.browser))
      throw new ConsentFault(
        'This is not the browser in which the link was opened: open the link again, and stay in one browser',
        false,
      )
    const server = await requireServer(consent.tenantId, consent.serverId)
    if (server.url !== consent.url) throw tooOld()
    if (!(await consents.claim(state))) throw tooOld()
    const grant = await exchange(consent, server, query)
    await inTransaction(db, async (tx) => {
      if (!(await consents.end(tx, state))) throw notFound('MCP server')
      const credential = { type: 'oauth' as const, url: consent.url, grant }
      await keepCredential(credentials, tx, consent.actor, server, credential, 'mcp_credential.connect')
    })
    return { server: server.name, caller: await callerNameOf(db, consent.actor) }
  }

  async function exchange(consent: Consent, server: ToolServer, query: URLSearchParams) {
    const sdk = await loadSdk()
    const { authorizationServer, client, resource, codeVerifier, redirectUri, scope } = consent
    const iss = query.get('iss') ?? undefined
    const code = await translateFaults(sdk, () => {
      // Checked before any returned value is trusted, including errors.
      sdk.validateAuthorizationResponseIssuer({
        iss,
        expectedIssuer: authorizationServer.issuer,
        issParameterSupported: authorizationServer.authorization_response_iss_parameter_supported === true,
      })
      const error = query.get('error')
      if (error !== null) throw new sdk.OAuthError(error, '')
      return query.get('code')
    })
    if (code === null) throw new ConsentFault('The authorization server sent no code', false)
    const information = await informationOf(client, server, parts)
    if (information === null) throw tooOld()
    const tokens = await translateFaults(sdk, () =>
      sdk.exchangeAuthorization(authorizationServer.issuer, {
        metadata: authorizationServer,
        clientInformation: information,
        authorizationCode: code,
        codeVerifier,
        redirectUri,
        resource,
        fetchFn: vetted.fetch,
        ...(iss !== undefined && { iss }),
      }),
    )
    return { authorizationServer, client, resource, ...readTokens(tokens, { scope }, Date.now()) }
  }

  return { start, finish }
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
