/** What the address says of this page, beside the time range. */
// biome-ignore lint/complexity/noBannedTypes: nothing yet
export type PlaygroundSearch = {}

export const readPlaygroundSearch = (_search: Record<string, unknown>): PlaygroundSearch => ({})
