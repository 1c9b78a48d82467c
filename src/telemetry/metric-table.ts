/** Every metric. Labels are few and bounded: no key, no user, no model name that a caller could invent. */

export const counters = {
  calls: {
    name: 'tallystick_calls_total',
    help: 'Governed calls by outcome',
    labels: ['provider', 'endpoint', 'outcome'],
  },
  rateLimited: {
    name: 'tallystick_rate_limited_total',
    help: 'Calls refused by a rate limit',
    labels: ['endpoint'],
  },
  webhookAttempts: {
    name: 'tallystick_webhook_attempts_total',
    help: 'Attempts to deliver a webhook by outcome',
    labels: ['outcome'],
  },
} as const

export const histograms = {
  callSeconds: {
    name: 'tallystick_call_duration_seconds',
    help: 'From the arrival of a call to the end of its answer',
    labels: ['endpoint'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  },
  groupSize: {
    name: 'tallystick_ledger_group_size',
    help: 'Receipts per committed group',
    labels: [],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  },
} as const
