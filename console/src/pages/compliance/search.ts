/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type ComplianceSearch = {}

export const readComplianceSearch = (_search: Record<string, unknown>): ComplianceSearch => ({})
