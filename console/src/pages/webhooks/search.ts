/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type WebhooksSearch = {}

export const readWebhooksSearch = (_search: Record<string, unknown>): WebhooksSearch => ({})
