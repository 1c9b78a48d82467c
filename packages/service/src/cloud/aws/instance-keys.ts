import { CloudIdentityError } from '../cloud-identity-error.js'
import { requireSuccess, sendCloudRequest } from '../send-cloud-request.js'
import type { AwsContext, FetchedAwsKeys } from './aws-context.js'
import { keysOfJson } from './keys-of-json.js'

const what = 'the metadata service of the instance'
const sessionSeconds = 21_600

/**
 * Credentials of an EC2 instance by IMDSv2. Version 1 is not tried, because anyone who makes this machine send a GET would get its answer.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
export function instanceKeys({ environment }: AwsContext): Promise<FetchedAwsKeys> | null {
  if (environment.AWS_EC2_METADATA_DISABLED?.toLowerCase() === 'true') return null
  const isIpv6 = environment.AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE?.toLowerCase() === 'ipv6'
  const fallback = isIpv6 ? 'http://[fd00:ec2::254]' : 'http://169.254.169.254'
  return fetchKeys((environment.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? fallback).replace(/\/+$/, ''))
}

async function fetchKeys(origin: string): Promise<FetchedAwsKeys> {
  const session = await sendCloudRequest({
    ...{ what, method: 'PUT', url: `${origin}/latest/api/token`, dispatcher: null },
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': String(sessionSeconds) },
  })
  requireSuccess(what, session)
  const get = async (name: string) => {
    const answer = await sendCloudRequest({
      ...{ what, method: 'GET', dispatcher: null },
      url: `${origin}/latest/meta-data/iam/security-credentials/${name}`,
      headers: { 'x-aws-ec2-metadata-token': session.text.trim() },
    })
    requireSuccess(what, answer, answer.status === 404 ? '(the instance has no role)' : '')
    return answer.text
  }
  const [role = ''] = (await get('')).trim().split('\n')
  if (role === '') throw new CloudIdentityError(`${what} names no role`, true)
  return keysOfJson(what, await get(encodeURIComponent(role)))
}
