import { CloudIdentityError } from '../cloud-identity-error.js'
import { readTokenFile } from '../read-token-file.js'
import { requireSuccess, sendCloudRequest } from '../send-cloud-request.js'
import type { AwsContext, FetchedAwsKeys } from './aws-context.js'
import { keysOfJson } from './keys-of-json.js'

const what = 'the credentials service of the container'
const ecsOrigin = 'http://169.254.170.2'
// Without encryption the request may only go to this machine, to ECS and to the agent of EKS.
const plainHosts =
  /^(127(\.\d{1,3}){3}|localhost|\[::1\]|169\.254\.170\.2|169\.254\.170\.23|\[fd00:ec2::23\])$/

/** ECS tasks and EKS pod identity: https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
export function containerKeys(context: AwsContext): Promise<FetchedAwsKeys> | null {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } =
    context.environment
  const url = relative ? ecsOrigin + relative : full
  return url ? fetchKeys(url, context) : null
}

async function fetchKeys(url: string, context: AwsContext): Promise<FetchedAwsKeys> {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'https:' && !(parsed?.protocol === 'http:' && plainHosts.test(parsed.hostname)))
    throw new CloudIdentityError(
      'AWS_CONTAINER_CREDENTIALS_FULL_URI must be https, or http on this machine or at ECS or EKS',
      true,
    )
  const authorization = await readAuthorization(context)
  const headers = authorization === null ? {} : { authorization }
  const answer = await sendCloudRequest({ what, method: 'GET', url, headers, dispatcher: null })
  requireSuccess(what, answer)
  return keysOfJson(what, answer.text)
}

/** EKS replaces the file before its token expires, so it is read each time. */
async function readAuthorization({ environment }: AwsContext): Promise<string | null> {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN: token, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file } =
    environment
  return file ? await readTokenFile('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', file) : (token ?? null)
}
