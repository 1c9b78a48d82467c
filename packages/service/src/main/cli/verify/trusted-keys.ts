import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type PublicKey, readPublicJwk } from '@tallystick/record/format'
import { readJwks, type TrustedKeys, trustKeys, UnusableInputError } from '@tallystick/record/verify'
import { errorCode } from '../../../shared/error-code.js'

const thumbprint = /^[A-Za-z0-9_-]{43}$/

export function readTrustedKeys(values: readonly string[]): TrustedKeys {
  const ids = new Set(values.filter((value) => thumbprint.test(value)))
  return trustKeys(values.filter((value) => !ids.has(value)).flatMap(readKeyFile), ids)
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
    // All errors have the same message.
  }
  throw new UnusableInputError(`--key ${path} contains no Ed25519 public key in JWKS, JWK or PEM form`)
}

function readKeys(text: string): PublicKey[] {
  if (text.includes('-----BEGIN')) return [readPublicJwk(createPublicKey(text).export({ format: 'jwk' }))]
  return readJwks(JSON.parse(text))
}
