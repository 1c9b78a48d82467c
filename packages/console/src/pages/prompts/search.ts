/** What the address says of the page of prompts. */
export interface PromptsSearch {
  /** The prompt that is open. */
  prompt?: string
  /** The version that is shown; the newest if left out. */
  version?: number
  /** The version that it is compared with; the one before if left out. */
  against?: number
  filter?: string
}

const asNumber = (value: unknown) =>
  Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined

export function readPromptsSearch(search: Record<string, unknown>): PromptsSearch {
  const version = asNumber(search.version)
  const against = asNumber(search.against)
  return {
    ...(typeof search.prompt === 'string' && search.prompt !== '' && { prompt: search.prompt }),
    ...(version !== undefined && { version }),
    ...(against !== undefined && { against }),
    ...(typeof search.filter === 'string' && search.filter !== '' && { filter: search.filter }),
  }
}
