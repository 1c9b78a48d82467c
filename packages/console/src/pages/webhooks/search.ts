const statuses = ['pending', 'retrying', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof statuses)[number]

/** What the address says of the page of webhooks. */
export interface WebhooksSearch {
  /** The endpoint that is open at the side. */
  endpoint?: string
  /** Of its deliveries, the one that is open. */
  delivery?: string
  /** Only its deliveries that stand so. */
  status?: DeliveryStatus
}

export function readWebhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  const { endpoint, delivery } = search
  const status = statuses.find((each) => each === search.status)
  if (typeof endpoint !== 'string') return {}
  return { endpoint, ...(typeof delivery === 'string' && { delivery }), ...(status && { status }) }
}
