import { createHmac } from 'node:crypto'

/**
 * The secret that an `http` policy signs its requests with. It is derived from the instance's secret and the policy's id
 * instead of being stored, so it is the same on every replica and stays the same as long as the policy exists.
 */
export function deriveServiceSecret(instanceSecret: Buffer, tenantId: string, policyId: string): string {
  const bytes = createHmac('sha256', instanceSecret)
    .update(`http policy\n${tenantId}\n${policyId}`)
    .digest('base64')
  return `whsec_${bytes}`
}
