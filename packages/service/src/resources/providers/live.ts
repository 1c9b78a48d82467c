import type { ProviderTest } from './schema.js'

/** The settings of a provider, to be checked by code that knows its type. */
export interface ProviderShape {
  type: string
  baseUrl: string | null
  dialects: readonly string[] | null
  headers: Readonly<Record<string, string>>
  auth: 'own' | 'caller'
  options: Readonly<Record<string, string>>
  credentials: readonly { value: string }[]
}

/** The provider types that settings can name. */
export interface ProviderTypes {
  faultsIn(shape: ProviderShape): { path: string; message: string }[]
  /** Returns the type's own address; null when it has none. */
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

/** A provider of the operator's file or environment, or the built-in one. */
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

/** The state of a credential, as this replica has observed it. */
export interface CredentialState {
  id: string
  status: 'active' | 'resting'
  lastError: { status: number; message: string; atMs: number } | null
}

/** The providers that calls use, on this replica. */
export interface LiveProviders {
  /** Returns the configured providers that a tenant may use, except those whose name it has given to its own. */
  configuredFor(tenantId: string): Promise<readonly ConfiguredProvider[]>
  /** True for names that no provider of a tenant may have. */
  isReserved(name: string): boolean
  /** Returns the states of all credentials of a tenant, by credential id. */
  credentialsOf(tenantId: string): Promise<ReadonlyMap<string, CredentialState>>
  /** Returns undefined for a provider that the tenant does not have. */
  test(tenantId: string, providerId: string): Promise<ProviderTest | undefined>
  /** Called after a change is committed, so that this replica applies it before it answers. */
  forget(tenantId: string): void
}
