import { type CloudServer, serveCloud } from './loopback.js'

/** The metadata server of Google Cloud. */
export const serveGoogleMetadata = (token: () => string): Promise<CloudServer> =>
  serveCloud(({ method, url, headers }) => {
    const flavour = { 'Metadata-Flavor': 'Google', 'content-type': 'application/json' }
    if (headers['metadata-flavor'] !== 'Google') return { status: 403, headers: flavour }
    const isToken = url.pathname === '/computeMetadata/v1/instance/service-accounts/default/token'
    if (method !== 'GET' || !isToken) return { status: 404, headers: flavour }
    return {
      headers: flavour,
      body: { access_token: token(), expires_in: 3_599, token_type: 'Bearer' },
    }
  })

const resource = 'https://cognitiveservices.azure.com'
const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600

/** The metadata service of an instance at Azure. It writes its numbers as text. */
export const serveAzureInstance = (clientId: string | null): Promise<CloudServer> =>
  serveCloud(({ url, headers }) => {
    const isAsked = url.pathname === '/metadata/identity/oauth2/token' && headers.metadata === 'true'
    const query = url.searchParams
    if (!isAsked || query.get('api-version') !== '2018-02-01') return { status: 400 }
    if (query.get('resource') !== resource || query.get('client_id') !== clientId)
      return { status: 400, body: { error: 'invalid_request' } }
    return {
      body: { access_token: 'token-of-vm', expires_in: '3599', expires_on: `${inAnHour()}`, resource },
    }
  })

/** The identity service of App Service, which states only the end of a token. */
export const serveAppIdentity = (secret: string): Promise<CloudServer> =>
  serveCloud(({ url, headers }) => {
    if (headers['x-identity-header'] !== secret) return { status: 401 }
    if (url.searchParams.get('api-version') !== '2019-08-01') return { status: 400 }
    if (url.searchParams.get('resource') !== resource) return { status: 400 }
    return { body: { access_token: 'token-of-app', expires_on: `${inAnHour()}`, token_type: 'Bearer' } }
  })

/** Entra ID, for the token of a Kubernetes service account. */
export const serveEntra = (tenant: string, clientId: string, assertions: string[]): Promise<CloudServer> =>
  serveCloud(({ method, url, body }) => {
    const form = new URLSearchParams(body)
    if (method !== 'POST' || url.pathname !== `/${tenant}/oauth2/v2.0/token`) return { status: 404 }
    const isRight =
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_id') === clientId &&
      form.get('scope') === `${resource}/.default` &&
      form.get('client_assertion_type') === 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    if (!isRight || !assertions.includes(form.get('client_assertion') ?? ''))
      return { status: 401, body: { error: 'invalid_client' } }
    return { body: { access_token: 'token-of-workload', expires_in: 3_599, token_type: 'Bearer' } }
  })
