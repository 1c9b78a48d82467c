const statuses = ['active', 'revoked', 'expired'] as const
export type KeyStatus = (typeof statuses)[number]

/** What the address says of the page of keys. */
export interface KeysSearch {
  /** The key that is open at the side. */
  key?: string
  filter?: string
  status?: KeyStatus
  /** The key that is to take the place of the open one, while that is being rotated. */
  successor?: string
  /** The form for a new key is open. */
  create?: boolean
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const { key, filter, successor, create } = search
  const status = statuses.find((each) => each === search.status)
  return {
    ...(typeof key === 'string' && { key }),
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(status && { status }),
    ...(typeof key === 'string' && typeof successor === 'string' && { successor }),
    ...(create === true && { create }),
  }
}
