/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type UsageSearch = {}

export const readUsageSearch = (_search: Record<string, unknown>): UsageSearch => ({})
