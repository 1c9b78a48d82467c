import { useQueryClient } from '@tanstack/react-query'
import type { Answer } from '../../api'
import type { Tone } from '../../parts'
import type { DeliveryStatus } from './search'

export type Endpoint = Answer<'/v1/webhook-endpoints'>['data'][number]
export type EventName = Endpoint['events'][number]
export type Delivery = Answer<'/v1/webhook-endpoints/{id}/deliveries'>['data'][number]

/** What can be told, in words. A test is sent whether it is listed or not. */
export const events: readonly { name: EventName; words: string }[] = [
  { name: 'budget.threshold_reached', words: 'A budget, pool or cap reaches its threshold' },
  { name: 'budget.request_filed', words: 'Someone requests more budget' },
  { name: 'policy.violation', words: 'A policy, or a list of models or tools, blocks a call' },
  { name: 'anomaly.usage_spike', words: 'An hour has three times the calls of those before' },
  { name: 'provider.failing', words: 'A provider refuses one of its credentials' },
  { name: 'mcp.tool_changed', words: 'A tool of an MCP server is new, changed or gone' },
]

export const deliveryTones: Record<DeliveryStatus, Tone> = {
  delivered: 'ok',
  pending: 'neutral',
  retrying: 'warn',
  dead: 'bad',
}
export const deliveryNames: Record<DeliveryStatus, string> = {
  delivered: 'delivered',
  pending: 'waiting',
  retrying: 'retrying',
  dead: 'given up',
}

/** A test is tried once: there is nothing to give up. */
export const nameOfDelivery = ({ event, status }: Pick<Delivery, 'event' | 'status'>) =>
  event === 'webhook.test' && status === 'dead' ? 'failed' : deliveryNames[status]

/** Of the deliveries of a week whose end is known: how many arrived. Null before the first. */
export function shareDelivered({ delivered, retrying, dead }: Endpoint['lastWeek']): number | null {
  const all = delivered + retrying + dead
  return all === 0 ? null : delivered / all
}

export function useRefreshWebhooks() {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/v1/webhook-endpoints'),
    })
}
