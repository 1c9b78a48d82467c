/** Returns who may use what a provider issued: a user, or a key that has no owner. */
export const ownerOf = (userId: string | null | undefined, keyId: string): string =>
  userId ? `user:${userId}` : `key:${keyId}`
