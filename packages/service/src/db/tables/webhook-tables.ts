import type { Generated } from 'kysely'

interface WebhookEndpointsTable {
  id: string
  tenant_id: string
  name: string
  url: string
  type: 'generic' | 'chat'
  envelope: Generated<'tallystick' | 'cloudevents'>
  events: string[]
  enabled: Generated<boolean>
  max_attempts: Generated<number>
  /** Null once the endpoint is deleted. */
  sealed_secret: Buffer | null
  sealed_previous_secret: Buffer | null
  previous_secret_until: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
}

interface WebhookDeliveriesTable {
  endpoint_id: string
  id: Generated<string>
  tenant_id: string
  event: string
  data: string
  created_at: Generated<Date>
  status: Generated<'pending' | 'retrying' | 'delivered' | 'dead'>
  attempts: Generated<number>
  due_at: Generated<Date>
  lease_until: Date | null
  attempted_at: Date | null
  status_code: number | null
  error: string | null
}

interface WebhookAttemptsTable {
  endpoint_id: string
  delivery_id: string
  id: Generated<number>
  at: Date
  duration_ms: number
  status_code: number | null
  error: string | null
}

/** The tables of webhooks, except those that only SQL statements in the transaction of the ledger write. */
export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_attempts: WebhookAttemptsTable
}
