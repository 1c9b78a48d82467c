/** What the address says of the page of policies. */
export interface PoliciesSearch {
  /** The policy that is open, by its id, or `new`. */
  policy?: string
  /** What a new one is to be. */
  kind?: string
  filter?: string
}

export const readPoliciesSearch = ({ policy, kind, filter }: Record<string, unknown>): PoliciesSearch => ({
  ...(typeof policy === 'string' && policy !== '' && { policy }),
  ...(typeof kind === 'string' && { kind }),
  ...(typeof filter === 'string' && filter !== '' && { filter }),
})
