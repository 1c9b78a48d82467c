import { isObject, type Json, pick, stringsOf } from '../json.js'
import type { Kind } from './kind.js'
import { headerNames, headerSecrets, headersOf } from './provider.js'

export const mcpServer: Kind = {
  kind: 'McpServer',
  path: '/v1/mcp-servers',
  secretsOf(body) {
    const { clientSecret } = isObject(body.auth) ? body.auth : {}
    return new Map([
      ...headerSecrets(body),
      ...(typeof clientSecret === 'string' ? [['auth.clientSecret', clientSecret] as const] : []),
    ])
  },
  withoutSecrets: (body) => ({ ...body, headers: headerNames(body.headers), auth: describeAuth(body.auth) }),
  observe: async (record) => ({
    ...pick(record, [
      'url',
      'enabled',
      'open',
      'pinning',
      'pricePerCallUsd',
      'rpmLimit',
      'timeoutMs',
      'maxResultBytes',
      'resources',
      'prompts',
    ]),
    headers: stringsOf(record.headers)
      .map((name) => name.toLowerCase())
      .toSorted(),
    auth: describeAuth(record.auth),
  }),
  withPlaceholders(observed, placeholder) {
    const { hasClientSecret, ...auth } = isObject(observed.auth) ? observed.auth : {}
    const clientSecret = hasClientSecret === true && { clientSecret: placeholder('auth.clientSecret') }
    return {
      ...observed,
      ...headersOf(observed, placeholder),
      ...(observed.auth !== undefined && { auth: { ...auth, ...clientSecret } }),
    }
  },
  async update(client, { id, body, fields, secrets }) {
    const isElsewhere = fields.has('url')
    const wanted = new Set([...fields, ...[...secrets].map((path) => path.split('.')[0] ?? '')])
    // The service refuses to send a stored secret to a new address, so secrets are stored again.
    if (isElsewhere) for (const field of ['headers', 'auth']) wanted.add(field)
    await client.patch(`/v1/mcp-servers/${id}`, pick(body, [...wanted]))
  },
}

/** Leaves out what the type of authentication does not use. */
function describeAuth(auth: unknown): Json {
  const {
    type = 'none',
    header = null,
    clientId = null,
    scopes,
    clientSecret,
    hasClientSecret,
  } = isObject(auth) ? auth : {}
  if (type === 'header') return { type, header }
  if (type !== 'oauth') return { type }
  const isSecret = hasClientSecret === true || typeof clientSecret === 'string'
  return { type, clientId, scopes: stringsOf(scopes), hasClientSecret: isSecret }
}
