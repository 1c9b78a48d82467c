const statuses = ['pending', 'retrying', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof statuses)[number]

/** The search parameters of the webhooks page. */
export interface WebhooksSearch {
  /** The ID of the endpoint in the side panel. */
  endpoint?: string
  /** The ID of the expanded delivery. */
  delivery?: string
  /** Only deliveries with this status. */
  status?: DeliveryStatus
}

export function readWebhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  const { endpoint, delivery } = search
  const status = statuses.find((each) => each === search.status)
  if (typeof endpoint !== 'string') return {}
  return { endpoint, ...(typeof delivery === 'string' && { delivery }), ...(status && { status }) }
}
