import { asCount, type JsonObject } from '@tallystick/record/json'
import type { ShortLivedToken } from '../../cloud/index.js'
import { ApiError } from '../../shared/errors.js'
import { TransportError } from '../transport/transport-failure.js'
import type { AuthorizeTools } from '../vendors/vendor.js'

// Used when the answer does not state how long its token is valid.
const defaultLifetimeSeconds = 300

/** Posts a form to an OAuth token endpoint, and reads `access_token` and `expires_in`. */
export async function fetchOauthToken(
  tools: Pick<AuthorizeTools, 'post' | 'now'>,
  url: string,
  form: Record<string, string>,
): Promise<ShortLivedToken> {
  const sentAtMs = tools.now()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await tools.post(url, headers, new URLSearchParams(form).toString())
  const lifetimeSeconds = asCount(answer.expires_in) || defaultLifetimeSeconds
  return { value: readToken(answer, 'access_token'), expiresAtMs: sentAtMs + lifetimeSeconds * 1_000 }
}

/** Returns a token that can be sent in a header. */
export function readToken(answer: JsonObject, name: string): string {
  const token = answer[name]
  if (typeof token === 'string' && /^[\x21-\x7e]{1,16384}$/.test(token)) return token
  throw new TransportError(
    new ApiError('upstream_error', 'The token endpoint of the provider sent no usable token'),
    'connect',
  )
}
