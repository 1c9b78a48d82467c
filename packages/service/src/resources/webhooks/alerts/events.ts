export const eventNames = [
  'budget.threshold_reached',
  'budget.request_filed',
  'policy.violation',
  'anomaly.usage_spike',
  'provider.failing',
  'mcp.tool_changed',
  'record.refused',
  'webhook.test',
] as const

export type EventName = (typeof eventNames)[number]
