/** The search parameters of the tools page. */
export interface ToolsSearch {
  /** The ID of the open server. */
  server?: string
  /** The tool that is shown; all pending ones if absent. */
  tool?: string
}

export function readToolsSearch(search: Record<string, unknown>): ToolsSearch {
  const read: ToolsSearch = {}
  for (const name of ['server', 'tool'] as const) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') read[name] = value
    // The router parses a name of digits as a number.
    else if (typeof value === 'number') read[name] = String(value)
  }
  return read
}
