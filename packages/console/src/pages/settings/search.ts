/** The search parameters of the page, without the time range. */
// biome-ignore lint/complexity/noBannedTypes: there are no parameters yet
export type SettingsSearch = {}

export const readSettingsSearch = (_search: Record<string, unknown>): SettingsSearch => ({})
