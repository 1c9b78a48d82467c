const statuses = ['active', 'revoked', 'expired'] as const
export type KeyStatus = (typeof statuses)[number]

/** The search parameters of the keys page. */
export interface KeysSearch {
  /** The ID of the key in the side panel. */
  key?: string
  filter?: string
  status?: KeyStatus
  /** The ID of the new key while a key is being rotated. */
  successor?: string
  /** Opens the form for a new key. */
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
