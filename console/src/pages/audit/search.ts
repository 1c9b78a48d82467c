/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type AuditSearch = {}

export const readAuditSearch = (_search: Record<string, unknown>): AuditSearch => ({})
