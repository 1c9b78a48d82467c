/** The search parameters of the sinks page. */
export interface SinksSearch {
  /** The ID of the sink in the side panel. */
  sink?: string
}

export const readSinksSearch = ({ sink }: Record<string, unknown>): SinksSearch =>
  typeof sink === 'string' ? { sink } : {}
