/** The search parameters of the policies page. */
export interface PoliciesSearch {
  /** The ID of the open policy, or `new`. */
  policy?: string
  /** The kind of a new policy. */
  kind?: string
  filter?: string
}

export const readPoliciesSearch = ({ policy, kind, filter }: Record<string, unknown>): PoliciesSearch => ({
  ...(typeof policy === 'string' && policy !== '' && { policy }),
  ...(typeof kind === 'string' && { kind }),
  ...(typeof filter === 'string' && filter !== '' && { filter }),
})
