import type { ProviderTest } from './schema.js'

/** What somebody set of a provider, to be checked by those who know its type. */
export interface ProviderShape {
  type: string
  baseUrl: string | null
  dialects: readonly string[] | null
  headers: Readonly<Record<string, string>>
  auth: 'own' | 'caller'
  options: Readonly<Record<string, string>>
  credentials: readonly { value: string }[]
}

/** What is known of types of providers. */
export interface ProviderTypes {
  faultsIn(shape: ProviderShape): { path: string; message: string }[]
  /** Of the type itself; null when it has none. */
  baseUrlOf(type: string, options: Readonly<Record<string, string>>): string | null
  dialectsOf(type: string): readonly string[]
  defaultTimeouts: Timeouts
  defaultLimits: AnswerLimits
}

export interface Timeouts {
  connectMs: number
  firstByteMs: number
  idleMs: number
  totalMs: number
  hangUpGraceMs: number
}

export interface AnswerLimits {
  maxStreamBytes: number
  maxAnswerBytes: number
}

/** A provider of the operator's file or environment, or the one that is built in. */
export interface ConfiguredProvider {
  id: string
  name: string
  type: string
  baseUrl: string
  headers: Readonly<Record<string, string>>
  dialects: readonly string[]
  timeouts: Timeouts
  limits: AnswerLimits
  options: Readonly<Record<string, string>>
  auth: 'own' | 'caller'
  references: 'issued' | 'any'
  pricesOf: string
  credentials: readonly { id: string; name: string; value: string; weight: number }[]
}

/** How a credential does, as this replica has seen. */
export interface CredentialState {
  id: string
  status: 'active' | 'resting'
  lastError: { status: number; message: string; atMs: number } | null
}

/** The providers that calls go to, on this replica. */
export interface LiveProviders {
  /** Those of the configuration that a tenant may use, less those whose name it has given to one of its own. */
  configuredFor(tenantId: string): Promise<readonly ConfiguredProvider[]>
  /** Names that no provider of a tenant may have. */
  isReserved(name: string): boolean
  /** Of all providers of a tenant, by the id of the credential. */
  credentialsOf(tenantId: string): Promise<ReadonlyMap<string, CredentialState>>
  /** Undefined for a provider that the tenant does not have. */
  test(tenantId: string, providerId: string): Promise<ProviderTest | undefined>
  /** Called after a change is committed, so that this replica acts on it before it answers. */
  forget(tenantId: string): void
}
