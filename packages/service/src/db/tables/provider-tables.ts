import type { Generated, JSONColumnType } from 'kysely'
import type { ModelSettings } from '../../shared/price-schema.js'

interface ProvidersTable {
  id: string
  tenant_id: string
  name: string
  type: string
  base_url: string | null
  sealed_headers: Buffer | null
  dialects: string[] | null
  timeouts: JSONColumnType<Record<string, number>>
  limits: JSONColumnType<Record<string, number>, string | undefined>
  options: JSONColumnType<Record<string, unknown>>
  auth: string | null
  accepted_references: Generated<'issued' | 'any'>
  prices_of: string | null
  enabled: Generated<boolean>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
}

interface ProviderCredentialsTable {
  id: string
  tenant_id: string
  provider_id: string
  name: string
  sealed_value: Buffer | null
  hint: string
  weight: number
  created_at: Generated<Date>
  deleted_at: Date | null
}

interface ModelPricesTable {
  tenant_id: string
  provider: string
  model: string
  effective_from: Date
  terms: JSONColumnType<ModelSettings>
  created_at: Generated<Date>
}

export interface RouteTarget {
  model: string
  weight: number
  /** The dialect of the calls to which the row applies. */
  dialect?: string
}

interface RoutesTable {
  id: string
  tenant_id: string
  name: string
  strategy: 'priority' | 'weighted' | 'fastest'
  targets: JSONColumnType<RouteTarget[]>
  retry: JSONColumnType<{ attempts: number; on: ('connect' | 'timeout' | '429' | '5xx')[] }>
  timeout_ms: number | null
  sticky_by: 'none' | 'session' | 'user'
  cache: JSONColumnType<{ ttlSeconds: number; scope: 'key' | 'team' | 'tenant' }> | null
  enabled: Generated<boolean>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
}

/** Providers, models and routes. */
export interface ProviderTables {
  providers: ProvidersTable
  provider_credentials: ProviderCredentialsTable
  model_prices: ModelPricesTable
  routes: RoutesTable
}
