import { type EventName, eventNames } from './alerts/events.js'
import type { AttemptRow } from './delivery/delivery-store.js'
import type { SecretStatus } from './endpoints/secret.js'
import type { DeliveryRow, EndpointView } from './endpoints/store.js'
import type { WebhookDelivery, WebhookDeliveryDetail, WebhookEndpoint } from './schema.js'

const isEventName = (name: string | null): name is EventName => eventNames.some((each) => each === name)

/** An unknown name was written by a newer version. */
function knownEvent(name: string | null): EventName {
  if (isEventName(name)) return name
  throw new Error(`unknown event ${name}`)
}

export function presentEndpoint(row: EndpointView, secretStatus: SecretStatus): WebhookEndpoint {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    type: row.type,
    envelope: row.envelope,
    events: row.events.filter(isEventName),
    enabled: row.enabled,
    maxAttempts: row.max_attempts,
    secretStatus,
    lastDelivery:
      row.last_id === null || row.last_status === null || row.last_at === null
        ? null
        : {
            id: row.last_id,
            event: knownEvent(row.last_event),
            status: row.last_status,
            statusCode: row.last_status_code,
            error: row.last_error,
            at: row.last_at.toISOString(),
          },
    lastWeek: { delivered: row.week_delivered, retrying: row.week_retrying, dead: row.week_dead },
    previousSecretUntil:
      row.previous_secret_until !== null && row.previous_secret_until > new Date()
        ? row.previous_secret_until.toISOString()
        : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function presentDelivery(row: DeliveryRow, now: Date): WebhookDelivery {
  const status = statusOf(row, now)
  const open = status === 'pending' || status === 'retrying'
  return {
    id: row.id,
    event: knownEvent(row.event),
    status,
    attempts: row.attempts,
    statusCode: row.status_code,
    error: open && row.attempts === 0 ? null : row.error,
    data: JSON.parse(row.data),
    createdAt: row.created_at.toISOString(),
    lastAttemptAt: row.attempted_at?.toISOString() ?? null,
    nextAttemptAt: open && row.event !== 'webhook.test' ? row.due_at.toISOString() : null,
  }
}

export const presentAttempt = (row: AttemptRow): WebhookDeliveryDetail['history'][number] => ({
  at: row.at.toISOString(),
  durationMs: row.duration_ms,
  statusCode: row.status_code,
  error: row.error,
})

/** A test is stored as dead from the start; while its one attempt is in flight, it is shown as pending. */
function statusOf({ status, lease_until }: DeliveryRow, now: Date): DeliveryRow['status'] {
  return status === 'dead' && lease_until !== null && lease_until > now ? 'pending' : status
}
