import type { UpstreamOwner } from './contract.js'

/** Returns the owner of requests that this service makes for itself. It has no credential. */
export const serviceOwnerOf = (tenantId: string): UpstreamOwner => ({
  tenantId,
  keyId: '',
  userId: null,
  session: null,
  authorization: null,
})
