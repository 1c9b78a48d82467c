import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../../shared/errors.js'
import type { Principal } from './principal.js'

/** One way to authenticate, such as a virtual key in a header. */
export interface AuthMethod {
  /** Returns the credential in the request. Null when the request does not use this method, so that the next one is tried. */
  read(request: FastifyRequest): string | null
  /** Finds the principal of a credential. Null when the credential is not valid. */
  verify(credential: string, request: FastifyRequest): Promise<Principal | null>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The secret that authenticated the request: a key, or the value of a session cookie. */
    credential: string | null
  }
}

/** The first method whose credential is in the request decides. */
export async function authenticate(
  request: FastifyRequest,
  methods: readonly AuthMethod[],
): Promise<Principal> {
  for (const method of methods) {
    const credential = method.read(request)
    if (credential === null) continue
    const principal = await method.verify(credential, request)
    if (principal === null) break
    request.credential = credential
    return principal
  }
  throw unauthorized()
}

/** Returns the credential of a request that was authenticated. */
export function credentialOf({ credential }: FastifyRequest): string {
  if (credential === null) throw unauthorized()
  return credential
}
