import type { CloudContext } from '../send-cloud-request.js'
import type { AwsKeys } from './sign-v4.js'

export interface FetchedAwsKeys {
  keys: AwsKeys
  /** Null for keys that do not expire. */
  expiresAtMs: number | null
}

export interface AwsContext extends CloudContext {
  region: string
}
