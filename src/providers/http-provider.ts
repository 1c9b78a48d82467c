import { readFile } from 'node:fs/promises'
import type { buildConnector } from 'undici'
import { createProviderBatches } from './batches/provider-batches.js'
import { checkProvider } from './check-provider.js'
import { askTokenEndpoint } from './credentials/ask-token-endpoint.js'
import {
  type Credential,
  type CredentialFault,
  type CredentialStatus,
  createCredentialPool,
  defaultRefusals,
} from './credentials/pool.js'
import { createTokenCache } from './credentials/token-cache.js'
import { createHttpTransport, type UpstreamTimeouts } from './http-transport.js'
import { pickRequestHeaders, pickResponseHeaders } from './pick-headers.js'
import { createPrepare } from './prepare-request.js'
import type { AcceptedReferences, AnswerLimits, Provider } from './transport.js'
import { vendors } from './vendors/index.js'

export interface HttpProviderSettings {
  id: string
  name: string
  type: string
  baseUrl: string
  credentials: readonly Credential[]
  /** Sent with every call, in place of the caller's of the same name. */
  headers: Readonly<Record<string, string>>
  /** `caller`: the caller's own `Authorization` goes to the provider, and no credential does. */
  auth: 'own' | 'caller'
  /** Which ids calls may name of what the provider keeps; `issued` when left out. */
  references?: AcceptedReferences
  /** What the vendor's table of options names. */
  options: Readonly<Record<string, string>>
  dialects: readonly string[]
  pricesOf: string
  timeouts: UpstreamTimeouts
  limits: AnswerLimits
}

export interface HttpProviderParts {
  /** How connections are made, where a tenant chose the address; by undici's own connector when left out. */
  connect?: buildConnector.connector
  /** Credentials may name files of this machine: for those of the operator. */
  mayReadFiles?: boolean
  onCredentialFault?(fault: CredentialFault): void
  /** How those credentials were that the provider has from the one that it replaces. */
  known?: readonly CredentialStatus[]
  /** Milliseconds since 1970. */
  now?(): number
}

/** A provider that speaks HTTP: a vendor of the table, or a server that is compatible with one. */
export function createHttpProvider(settings: HttpProviderSettings, parts: HttpProviderParts = {}): Provider {
  const { name, auth } = settings
  const { now = Date.now } = parts
  const vendor = vendors.get(settings.type)
  if (!vendor) throw new Error(`There is no provider of type ${settings.type}`)
  const base = new URL(settings.baseUrl)
  const pool = createCredentialPool({
    provider: name,
    credentials: auth === 'caller' ? [] : settings.credentials,
    now,
    ...(vendor.refusals && { refusals: vendor.refusals }),
    ...(parts.known && { known: parts.known }),
    ...(parts.onCredentialFault && { onFault: parts.onCredentialFault }),
  })
  const tools = {
    site: { base, root: base.pathname.replace(/\/+$/, ''), options: settings.options },
    now,
    token: createTokenCache(now),
    post: (url: string, headers: Record<string, string>, body: string) =>
      askTokenEndpoint(transport.agent(), name, { url, headers, body }),
    readFile: parts.mayReadFiles ? (path: string) => readFile(path, 'utf8') : null,
  }
  const shared = { provider: name, vendor, headers: settings.headers, auth, pool, tools }
  const transport = createHttpTransport({
    provider: name,
    origin: base.origin,
    timeouts: settings.timeouts,
    ...(parts.connect && { connect: parts.connect }),
    prepare: createPrepare(shared),
    passHeaders: (headers) => pickResponseHeaders(headers, vendor),
  })
  const asking = { ...shared, dispatcher: transport.agent }
  // Its files stay in an account of ours: the caller's own is not asked later.
  const batchPaths = auth === 'own' ? vendor.batchPaths?.(tools.site) : undefined
  return {
    id: settings.id,
    name,
    dialects: settings.dialects,
    pricesOf: settings.pricesOf,
    ...(vendor.outputField && { outputField: vendor.outputField }),
    ...(vendor.ignoredFields && { ignoredFields: vendor.ignoredFields }),
    server: { address: base.hostname, port: Number(base.port || (base.protocol === 'https:' ? 443 : 80)) },
    hangUpGraceMs: settings.timeouts.hangUpGraceMs,
    limits: settings.limits,
    auth,
    references: settings.references ?? 'issued',
    credentialCount: auth === 'caller' ? 0 : settings.credentials.length,
    credentialRefusals: vendor.refusals ?? defaultRefusals,
    credentials: pool.statuses,
    ...(vendor.billedErrors && { billedErrors: vendor.billedErrors }),
    ...(batchPaths && { batches: createProviderBatches({ ...asking, paths: batchPaths }) }),
    check: () => checkProvider(asking),
    pickHeaders: pickRequestHeaders,
    transport,
  }
}
