/** What the address says of the page of tools. */
export interface ToolsSearch {
  /** The server that is open, by its id. */
  server?: string
  /** Of its tools the one that is shown; all that wait for approval if left out. */
  tool?: string
}

export function readToolsSearch(search: Record<string, unknown>): ToolsSearch {
  const read: ToolsSearch = {}
  for (const name of ['server', 'tool'] as const) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') read[name] = value
    // The address reads a name of digits as a number.
    else if (typeof value === 'number') read[name] = String(value)
  }
  return read
}
