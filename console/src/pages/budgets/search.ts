/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type BudgetsSearch = {}

export const readBudgetsSearch = (_search: Record<string, unknown>): BudgetsSearch => ({})
