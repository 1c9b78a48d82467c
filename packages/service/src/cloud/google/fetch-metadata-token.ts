import { asText, parseObject } from '@tallystick/record/json'
import { CloudIdentityError } from '../cloud-identity-error.js'
import { type CloudContext, requireSuccess, sendCloudRequest } from '../send-cloud-request.js'
import type { ShortLivedToken } from '../token-cache.js'

const what = 'the metadata server of Google Cloud'

/**
 * Fetches a token of the service account that is attached to this machine: Compute Engine, Cloud Run, or GKE with workload identity.
 * https://cloud.google.com/compute/docs/access/authenticate-workloads#applications
 */
export async function fetchGoogleMetadataToken({ environment, now }: CloudContext): Promise<ShortLivedToken> {
  const host = environment.GCE_METADATA_HOST || 'metadata.google.internal'
  const sentAtMs = now()
  const answer = await sendCloudRequest({
    ...{ what, method: 'GET', dispatcher: null, headers: { 'metadata-flavor': 'Google' } },
    url: `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`,
  })
  requireSuccess(what, answer, answer.status === 404 ? '(the machine has no service account)' : '')
  // Another server at this address, such as the login page of a network, does not send this header.
  if (answer.headers['metadata-flavor'] !== 'Google')
    throw new CloudIdentityError(`${what} was not the one that answered`)
  const { access_token: value, expires_in: seconds } = parseObject(answer.text) ?? {}
  const token = asText(value)
  if (!/^[\x21-\x7e]{1,16384}$/.test(token) || typeof seconds !== 'number')
    throw new CloudIdentityError(`${what} answered something else than a token`)
  return { value: token, expiresAtMs: sentAtMs + seconds * 1_000 }
}
