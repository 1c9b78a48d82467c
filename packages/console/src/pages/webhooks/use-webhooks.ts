import { type ResponseOf, useInvalidate } from '../../api'
import type { Tone } from '../../components'
import type { DeliveryStatus } from './search'

export type Endpoint = ResponseOf<'/v1/webhook-endpoints'>['data'][number]
export type EventName = Endpoint['events'][number]
export type Delivery = ResponseOf<'/v1/webhook-endpoints/{id}/deliveries'>['data'][number]

/** The events that an endpoint can subscribe to. Test events are always sent. */
export const events: readonly { name: EventName; description: string }[] = [
  { name: 'budget.threshold_reached', description: 'A budget, team budget or cap reaches its threshold' },
  { name: 'budget.request_filed', description: 'Someone requests more budget' },
  { name: 'policy.violation', description: 'A policy or an allow list blocks a call' },
  { name: 'anomaly.usage_spike', description: 'Calls in an hour reach three times the recent rate' },
  { name: 'provider.failing', description: 'A provider rejects a credential' },
  { name: 'mcp.tool_changed', description: 'A tool of an MCP server is added, changed or removed' },
  { name: 'record.refused', description: 'The record is not signed after a restore of the database' },
]

export const deliveryTones: Record<DeliveryStatus, Tone> = {
  delivered: 'ok',
  pending: 'neutral',
  retrying: 'warn',
  dead: 'bad',
}
export const deliveryNames: Record<DeliveryStatus, string> = {
  delivered: 'delivered',
  pending: 'pending',
  retrying: 'retrying',
  dead: 'failed',
}

/** Tests are not retried, so a failed test is not a dead letter. */
export const nameOfDelivery = ({ event, status }: Pick<Delivery, 'event' | 'status'>) =>
  event === 'webhook.test' && status === 'dead' ? 'failed' : deliveryNames[status]

/** The share of completed deliveries of a week that succeeded; null if there are none. */
export function shareDelivered({ delivered, retrying, dead }: Endpoint['lastWeek']): number | null {
  const total = delivered + retrying + dead
  return total === 0 ? null : delivered / total
}

export const webhookPaths = ['/v1/webhook-endpoints'] as const
export const useRefreshWebhooks = () => useInvalidate(webhookPaths)
