import type { UpstreamOwner } from './contract.js'

/** The service itself, which has no credential of its own. */
export const nobodyOf = (tenantId: string): UpstreamOwner => ({
  tenantId,
  keyId: '',
  userId: null,
  session: null,
  authorization: null,
})
