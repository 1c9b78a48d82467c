import { readFile } from 'node:fs/promises'
import { createTokenCache } from '../cloud/index.js'
import type { CloudEnvironment } from '../config/index.js'
import { createProviderBatches } from './batches/provider-batches.js'
import { checkProvider } from './check-provider.js'
import { callTokenEndpoint } from './credentials/call-token-endpoint.js'
import { readJsonCredential } from './credentials/json-credential.js'
import { isMachineIdentity } from './credentials/machine-identity.js'
import {
  type Credential,
  type CredentialFault,
  type CredentialStatus,
  createCredentialPool,
  defaultRejectionStatuses,
} from './credentials/pool.js'
import type { AcceptedReferences, AnswerLimits, Provider } from './provider.js'
import { type CreateAgent, createHttpTransport, type UpstreamTimeouts } from './transport/http-transport.js'
import { pickRequestHeaders, pickResponseHeaders } from './transport/pick-headers.js'
import { createPrepare } from './transport/prepare-request.js'
import { vendors } from './vendors/index.js'

export interface HttpProviderSettings {
  id: string
  name: string
  type: string
  baseUrl: string
  credentials: readonly Credential[]
  /** Sent with every call. They replace the caller's headers of the same name. */
  headers: Readonly<Record<string, string>>
  /** With `caller`, the caller's own `Authorization` is sent to the provider instead of a configured credential. */
  auth: 'own' | 'caller'
  /** Which stored objects calls may refer to by id; defaults to `issued`. */
  references?: AcceptedReferences
  /** The options that the vendor's definition lists. */
  options: Readonly<Record<string, string>>
  dialects: readonly string[]
  pricesOf: string
  timeouts: UpstreamTimeouts
  limits: AnswerLimits
}

export interface HttpProviderParts {
  /** Creates the agent that connects to the provider; undici's own, which knows no rules and no proxies, when left out. */
  createAgent?: CreateAgent
  /** Lets credentials use the files and the identity of this machine. Only for the operator's providers. */
  machine?: CloudEnvironment
  onCredentialFault?(fault: CredentialFault): void
  /** The states of these credentials in the provider that this one replaces. */
  known?: readonly CredentialStatus[]
  /** Milliseconds since 1970. */
  now?(): number
}

/** Creates a provider that is called by HTTP: one of the known vendors, or a compatible server. */
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
    ...(vendor.rejectionStatuses && { rejectionStatuses: vendor.rejectionStatuses }),
    ...(parts.known && { known: parts.known }),
    ...(parts.onCredentialFault && { onFault: parts.onCredentialFault }),
  })
  const tokens = createTokenCache(now)
  const tools = {
    site: { base, root: base.pathname.replace(/\/+$/, ''), options: settings.options },
    now,
    token: tokens.get,
    forgetToken: tokens.forget,
    post: (url: string, headers: Record<string, string>, body: string) =>
      callTokenEndpoint(transport.agent(), name, { url, headers, body }),
    machine: parts.machine
      ? {
          environment: parts.machine,
          now,
          dispatcher: () => transport.agent(),
          readFile: (path: string) => readFile(path, 'utf8'),
        }
      : null,
  }
  const shared = { provider: name, vendor, headers: settings.headers, auth, pool, tools }
  const transport = createHttpTransport({
    provider: name,
    origin: base.origin,
    timeouts: settings.timeouts,
    ...(parts.createAgent && { createAgent: parts.createAgent }),
    prepare: createPrepare(shared),
    passHeaders: (headers) => pickResponseHeaders(headers, vendor),
  })
  const asking = { ...shared, dispatcher: transport.agent }
  // Batch files belong to an account of this service, because the caller's credential is not available later.
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
    usesMachine: settings.credentials.some(({ value }) => isMachineIdentity(readJsonCredential(value))),
    credentialRejectionStatuses: vendor.rejectionStatuses ?? defaultRejectionStatuses,
    credentials: pool.statuses,
    ...(vendor.billedErrors && { billedErrors: vendor.billedErrors }),
    ...(batchPaths && { batches: createProviderBatches({ ...asking, paths: batchPaths }) }),
    check: () => checkProvider(asking),
    pickHeaders: pickRequestHeaders,
    transport,
  }
}
