export const nodeShims: Record<string, string>
