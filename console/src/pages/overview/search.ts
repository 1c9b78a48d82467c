/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type OverviewSearch = {}

export const readOverviewSearch = (_search: Record<string, unknown>): OverviewSearch => ({})
