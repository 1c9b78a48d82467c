/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type SettingsSearch = {}

export const readSettingsSearch = (_search: Record<string, unknown>): SettingsSearch => ({})
