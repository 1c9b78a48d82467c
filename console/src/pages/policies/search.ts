/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type PoliciesSearch = {}

export const readPoliciesSearch = (_search: Record<string, unknown>): PoliciesSearch => ({})
