interface Delivery {
  id: string
  tenantId: string
  event: string
  /** JSON. */
  data: string
  createdAt: Date
}

/** The members of `data` that may name what an event is about, the most specific first. */
const subjectsOf: Readonly<Record<string, (data: Record<string, unknown>) => unknown>> = {
  'budget.threshold_reached': ({ budget }) => idOf(budget),
  'budget.request_filed': (data) => data.request_id,
  'policy.violation': (data) => data.policy_id,
  'provider.failing': (data) => data.provider_id,
  'mcp.tool_changed': ({ server }) => idOf(server),
}

/**
 * Composes a CloudEvent in structured JSON mode, https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md.
 * The source is the tenant: ids of deliveries are unique in it, as the specification demands.
 */
export function composeCloudEvent({ id, tenantId, event, data, createdAt }: Delivery): string {
  const subject = subjectsOf[event]?.(JSON.parse(data))
  const head = JSON.stringify({
    ...{ specversion: '1.0', id, source: `urn:tallystick:${tenantId}`, type: `tallystick.${event}` },
    ...(typeof subject === 'string' && subject !== '' && { subject }),
    ...{ time: createdAt.toISOString(), datacontenttype: 'application/json' },
  })
  return `${head.slice(0, -1)},"data":${data}}`
}

const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
