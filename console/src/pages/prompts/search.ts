/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type PromptsSearch = {}

export const readPromptsSearch = (_search: Record<string, unknown>): PromptsSearch => ({})
