import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { errorCode } from '../../error-code.js'
import { type PublicKey, readPublicJwk, type UntrustedJwk } from '../../ledger/format/public-key.js'
import { UnusableInputError } from '../../ledger/verify/fault.js'

/** The keys that the user trusts. */
export interface TrustedKeys {
  /** False when none was given: the keys that an export lists are then trusted, and the verdict says so. */
  areGiven: boolean
  /** Keys that were given as files. */
  keys: readonly PublicKey[]
  /** The keys given as files, and those that an export lists and the user named by thumbprint. */
  choose(listed: readonly PublicKey[]): readonly PublicKey[]
}

const thumbprint = /^[A-Za-z0-9_-]{43}$/

export function readTrustedKeys(values: readonly string[]): TrustedKeys {
  const ids = new Set(values.filter((value) => thumbprint.test(value)))
  const keys = values.filter((value) => !ids.has(value)).flatMap(readKeyFile)
  return {
    areGiven: values.length > 0,
    keys,
    choose(listed) {
      if (values.length === 0) return listed
      return [...keys, ...listed.filter((key) => ids.has(key.id))]
    },
  }
}

function readKeyFile(path: string): PublicKey[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UnusableInputError(
      `--key ${path} is neither a thumbprint nor a file that can be read (${errorCode(error) ?? error})`,
    )
  }
  try {
    const keys = readKeys(text)
    if (keys.length > 0) return keys
  } catch {
    // One message for all the ways in which it can be wrong.
  }
  throw new UnusableInputError(`--key ${path} holds no Ed25519 public key, as JWKS, JWK or PEM`)
}

function readKeys(text: string): PublicKey[] {
  if (text.includes('-----BEGIN')) return [readPublicJwk(createPublicKey(text).export({ format: 'jwk' }))]
  const value: UntrustedJwk & { keys?: unknown } = JSON.parse(text)
  const jwks: UntrustedJwk[] = Array.isArray(value.keys) ? value.keys : [value]
  return jwks.map(readPublicJwk)
}
