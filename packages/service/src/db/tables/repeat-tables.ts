import type { Generated } from 'kysely'

interface IdempotentCallsTable {
  tenant_id: string
  key_id: string
  key_hash: Buffer
  request_id: string
  user_id: string | null
  process_id: string
  salt: Buffer
  fingerprint: Buffer
  state: Generated<'calling' | 'answered' | 'not_kept'>
  sealed: Buffer | null
  created_at: Generated<Date>
}

interface CachedAnswersTable {
  tenant_id: string
  key_hash: Buffer
  user_id: string | null
  sealed: Buffer
  created_at: Generated<Date>
  expires_at: Date
}

interface CacheKeysTable {
  tenant_id: string
  sealed: Buffer
}

/** Stored answers for idempotency and caching. */
export interface RepeatTables {
  idempotent_calls: IdempotentCallsTable
  cached_answers: CachedAnswersTable
  cache_keys: CacheKeysTable
}
