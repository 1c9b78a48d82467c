import { ApiError } from '../../errors.js'
import { asCount, type JsonObject } from '../../json/index.js'
import { TransportError } from '../transport-failure.js'
import type { AuthorizeTools, ShortLivedToken } from '../vendors/vendor.js'

// What is said where the answer does not say how long its token lives.
const defaultLifeSeconds = 300

/** Asks an OAuth token endpoint with a form, and reads `access_token` and `expires_in`. */
export async function fetchOauthToken(
  tools: Pick<AuthorizeTools, 'post' | 'now'>,
  url: string,
  form: Record<string, string>,
): Promise<ShortLivedToken> {
  const askedAtMs = tools.now()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await tools.post(url, headers, new URLSearchParams(form).toString())
  const lifeSeconds = asCount(answer.expires_in) || defaultLifeSeconds
  return { value: readToken(answer, 'access_token'), expiresAtMs: askedAtMs + lifeSeconds * 1_000 }
}

/** A token goes into a header. */
export function readToken(answer: JsonObject, name: string): string {
  const token = answer[name]
  if (typeof token === 'string' && /^[\x21-\x7e]{1,16384}$/.test(token)) return token
  throw new TransportError(
    new ApiError('upstream_error', 'The token endpoint of the provider gave no token'),
    'connect',
  )
}
