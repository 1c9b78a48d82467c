import { parseObject } from '@tallystick/record/json'
import { CloudIdentityError } from '../cloud-identity-error.js'
import type { FetchedAwsKeys } from './aws-context.js'

/** Reads the keys that the services of containers and of instances answer. */
export function keysOfJson(what: string, text: string): FetchedAwsKeys {
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = parseObject(text) ?? {}
  const expiresAtMs = typeof Expiration === 'string' ? Date.parse(Expiration) : Number.NaN
  if (
    typeof AccessKeyId !== 'string' ||
    typeof SecretAccessKey !== 'string' ||
    typeof Token !== 'string' ||
    Number.isNaN(expiresAtMs)
  )
    throw new CloudIdentityError(`${what} answered something else than credentials`)
  return {
    keys: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token },
    expiresAtMs,
  }
}
