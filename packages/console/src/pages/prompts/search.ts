/** The search parameters of the prompts page. */
export interface PromptsSearch {
  /** The ID of the open prompt. */
  prompt?: string
  /** The version that is shown; the latest if absent. */
  version?: number
  /** The version that it is compared with; the previous one if absent. */
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
