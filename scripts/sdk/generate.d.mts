export const root: URL
export function generate(): Map<string, string>
