import { type AwsKeys, type CloudContext, createTokenCache, fetchAwsKeys } from '../../cloud/index.js'
import type { Db } from '../../db/index.js'
import { findTenantName } from '../tenants/index.js'

/** Keys of this machine for buckets that the operator has named, so that no manager can use them for another bucket. */
export interface MachineIdentity {
  /** The only address that the keys are used for. */
  endpointOf(region: string): string
  mayWrite(tenantId: string, bucket: string): Promise<boolean>
  keys(region: string): Promise<AwsKeys>
}

export interface MachineIdentityOptions {
  db: Db
  buckets: readonly { tenant: string; bucket: string }[]
  context: CloudContext
}

// Keys of the environment do not expire. They are read again after a day, at no cost.
const dayMs = 86_400_000

export function createMachineIdentity({ db, buckets, context }: MachineIdentityOptions): MachineIdentity {
  const { environment, now } = context
  const cache = createTokenCache(now)
  return {
    endpointOf: (region) => environment.AWS_ENDPOINT_URL_S3 ?? `https://s3.${region}.amazonaws.com`,
    async mayWrite(tenantId, bucket) {
      const named = buckets.filter((each) => each.bucket === bucket)
      if (named.length === 0) return false
      const tenant = await findTenantName(db, tenantId)
      return named.some((each) => each.tenant === tenant)
    },
    async keys(region) {
      const text = await cache.get(region, async () => {
        const identity = { from: null, roleArn: null, externalId: null }
        const { keys, expiresAtMs } = await fetchAwsKeys(identity, { ...context, region })
        return { value: JSON.stringify(keys), expiresAtMs: expiresAtMs ?? now() + dayMs }
      })
      return JSON.parse(text)
    },
  }
}
