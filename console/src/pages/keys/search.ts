/** What the address says of the page of keys. */
export interface KeysSearch {
  /** The key that is open at the side. */
  key?: string
  filter?: string
}

export const readKeysSearch = ({ key, filter }: Record<string, unknown>): KeysSearch => ({
  ...(typeof key === 'string' && { key }),
  ...(typeof filter === 'string' && filter !== '' && { filter }),
})
