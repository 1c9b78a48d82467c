import { asText, parseObject } from '@tallystick/record/json'
import { CloudIdentityError } from '../cloud-identity-error.js'
import { fetchFromFirst } from '../fetch-from-first.js'
import { readTokenFile } from '../read-token-file.js'
import { type CloudContext, requireSuccess, sendCloudRequest } from '../send-cloud-request.js'
import type { ShortLivedToken } from '../token-cache.js'

/** The order in which they are tried, which is that of the vendor's own SDKs. */
export const azureSources = ['workload-identity', 'app-service', 'instance'] as const
export type AzureSource = (typeof azureSources)[number]

interface AzureIdentity {
  /** Null for the first source that the environment describes, or else the instance. */
  from: AzureSource | null
  /** A user-assigned identity. Null for that of the system, or of AZURE_CLIENT_ID. */
  clientId: string | null
  /** Such as https://cognitiveservices.azure.com/.default */
  scope: string
  /** The URL of Entra ID. */
  authority: string
}

type FetchToken = (identity: AzureIdentity, context: CloudContext) => Promise<ShortLivedToken> | null

const missing: Record<AzureSource, string> = {
  'workload-identity': 'AZURE_FEDERATED_TOKEN_FILE, AZURE_TENANT_ID and AZURE_CLIENT_ID are not set',
  'app-service': 'IDENTITY_ENDPOINT and IDENTITY_HEADER are not set',
  instance: 'is not used',
}

const fetchers: Record<AzureSource, FetchToken> = {
  'workload-identity': federatedToken,
  'app-service': appServiceToken,
  instance: instanceToken,
}

/** Fetches a token of Entra ID for the identity of this machine. */
export async function fetchAzureToken(
  identity: AzureIdentity,
  context: CloudContext,
): Promise<ShortLivedToken> {
  const sources = identity.from === null ? azureSources : [identity.from]
  return await fetchFromFirst<ShortLivedToken>(
    'Azure credentials',
    sources.map((name) => ({ name, missing: missing[name], fetch: () => fetchers[name](identity, context) })),
  )
}

/** https://azure.github.io/azure-workload-identity/docs/ */
function federatedToken(identity: AzureIdentity, { environment, now, dispatcher }: CloudContext) {
  const { AZURE_FEDERATED_TOKEN_FILE: file, AZURE_TENANT_ID: tenant } = environment
  const clientId = identity.clientId ?? environment.AZURE_CLIENT_ID
  if (!file || !tenant || !clientId) return null
  const authority = (environment.AZURE_AUTHORITY_HOST || identity.authority).replace(/\/+$/, '')
  return (async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      scope: identity.scope,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await readTokenFile('AZURE_FEDERATED_TOKEN_FILE', file),
    })
    return await fetchToken(
      {
        ...{ what: 'Entra ID', method: 'POST', body: form.toString(), dispatcher: dispatcher() },
        url: `${authority}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      now,
    )
  })()
}

/** App Service, Functions and Container Apps: https://learn.microsoft.com/azure/app-service/overview-managed-identity */
function appServiceToken(identity: AzureIdentity, { environment, now }: CloudContext) {
  const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: secret } = environment
  if (!endpoint || !secret) return null
  return fetchToken(
    {
      ...{ what: 'the identity service of the app', method: 'GET', dispatcher: null },
      url: withQuery(endpoint, '2019-08-01', identity, environment.AZURE_CLIENT_ID),
      headers: { 'x-identity-header': secret },
    },
    now,
  )
}

/** https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token */
function instanceToken(identity: AzureIdentity, { environment, now }: CloudContext) {
  const origin = environment.AZURE_POD_IDENTITY_AUTHORITY_HOST || 'http://169.254.169.254'
  const url = `${origin.replace(/\/+$/, '')}/metadata/identity/oauth2/token`
  return fetchToken(
    {
      ...{ what: 'the metadata service of the instance', method: 'GET', dispatcher: null },
      url: withQuery(url, '2018-02-01', identity, environment.AZURE_CLIENT_ID),
      headers: { metadata: 'true' },
    },
    now,
  )
}

function withQuery(
  endpoint: string,
  apiVersion: string,
  { clientId, scope }: AzureIdentity,
  defaultClientId: string | undefined,
): string {
  const url = new URL(endpoint)
  url.searchParams.set('api-version', apiVersion)
  url.searchParams.set('resource', scope.replace(/\/\.default$/, ''))
  const id = clientId ?? defaultClientId
  if (id) url.searchParams.set('client_id', id)
  return url.href
}

async function fetchToken(
  request: Parameters<typeof sendCloudRequest>[0],
  now: () => number,
): Promise<ShortLivedToken> {
  const sentAtMs = now()
  const answer = await sendCloudRequest(request)
  requireSuccess(request.what, answer)
  const { access_token: value, expires_in: lifetime, expires_on: end } = parseObject(answer.text) ?? {}
  const token = asText(value)
  // Some of these services write numbers as text, and only the end instead of the lifetime.
  const seconds = Number(lifetime)
  const endSeconds = Number(end)
  const expiresAtMs = seconds > 0 ? sentAtMs + seconds * 1_000 : endSeconds * 1_000
  if (!/^[\x21-\x7e]{1,16384}$/.test(token) || !(expiresAtMs > 0))
    throw new CloudIdentityError(`${request.what} answered something else than a token`)
  return { value: token, expiresAtMs }
}
