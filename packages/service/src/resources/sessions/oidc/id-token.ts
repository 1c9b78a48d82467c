import { createHash } from 'node:crypto'
import type { IDToken } from 'openid-client'
import { refuse } from '../sign-in-problem.js'

interface Received {
  idToken: string
  claims: IDToken | undefined
  clientId: string
  accessToken: string
  code: string
  clockToleranceSeconds: number
}

/**
 * The checks that the library does not make after it verified the signature, `iss`, `aud`, `exp`, `nbf` and
 * `nonce`. Optional claims are checked when they are present, because an issuer that sends one means it.
 */
export function checkIdToken(received: Received): IDToken {
  const { claims, clientId, clockToleranceSeconds } = received
  if (claims === undefined) throw fault('there is no ID token')
  if (claims.azp !== undefined && claims.azp !== clientId) throw fault('"azp" is another client')
  if (claims.iat > Date.now() / 1_000 + clockToleranceSeconds) throw fault('"iat" is in the future')
  if (!/^[^\p{C}]{1,255}$/u.test(claims.sub)) throw fault('"sub" is not an identifier')
  const algorithm = algorithmOf(received.idToken)
  if (claims.at_hash !== undefined && claims.at_hash !== halfHash(algorithm, received.accessToken))
    throw fault('"at_hash" belongs to another access token')
  if (claims.c_hash !== undefined && claims.c_hash !== halfHash(algorithm, received.code))
    throw fault('"c_hash" belongs to another code')
  return claims
}

const fault = (what: string) => refuse('answer_not_valid', new Error(`The ID token was refused: ${what}`))

function algorithmOf(idToken: string): string {
  const header: unknown = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString())
  return typeof header === 'object' && header !== null && 'alg' in header ? String(header.alg) : ''
}

/** The left half of the hash that belongs to the algorithm of the signature (OpenID Connect Core, 3.1.3.6). */
function halfHash(algorithm: string, value: string): string {
  const bits = /(256|384|512)$/.exec(algorithm)?.[1] ?? '512'
  const hash = createHash(`sha${bits}`).update(value).digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}
