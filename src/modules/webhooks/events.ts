export const eventNames = [
  'budget.threshold_reached',
  'policy.violation',
  'anomaly.usage_spike',
  'provider.failing',
  'webhook.test',
] as const

export type EventName = (typeof eventNames)[number]
