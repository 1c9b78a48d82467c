import { CloudIdentityError } from '../cloud-identity-error.js'
import { readTokenFile } from '../read-token-file.js'
import { requireSuccess, sendCloudRequest } from '../send-cloud-request.js'
import type { AwsContext, FetchedAwsKeys } from './aws-context.js'
import { type AwsKeys, signV4 } from './sign-v4.js'

const what = 'STS'
const version = '2011-06-15'
const contentType = 'application/x-www-form-urlencoded'

/** The identity of a Kubernetes service account (IRSA), or another web identity. Null when the environment has none. */
export function assumeRoleWithWebIdentity(context: AwsContext): Promise<FetchedAwsKeys> | null {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role } = context.environment
  return file && role ? exchangeToken(file, role, context) : null
}

/** The file is read for each exchange, because the platform replaces it before its token expires. */
async function exchangeToken(file: string, role: string, context: AwsContext): Promise<FetchedAwsKeys> {
  const form = new URLSearchParams({
    ...{ Action: 'AssumeRoleWithWebIdentity', Version: version, RoleArn: role },
    RoleSessionName: sessionName(context),
    WebIdentityToken: await readTokenFile('AWS_WEB_IDENTITY_TOKEN_FILE', file),
  })
  return await callSts(form.toString(), {}, context)
}

/** Assumes a role, such as one of another account, with the keys of this machine. */
export async function assumeRole(
  { keys, roleArn, externalId }: { keys: AwsKeys; roleArn: string; externalId: string | null },
  context: AwsContext,
): Promise<FetchedAwsKeys> {
  const form = new URLSearchParams({
    ...{ Action: 'AssumeRole', Version: version, RoleArn: roleArn },
    RoleSessionName: sessionName(context),
    ...(externalId !== null && { ExternalId: externalId }),
  })
  const body = form.toString()
  const { host, pathname: path } = new URL(endpointOf(context))
  const toSign = { method: 'POST', path, query: '', headers: { host, 'content-type': contentType } }
  const scope = { region: context.region, service: 'sts' }
  const signature = signV4({ ...toSign, body: Buffer.from(body) }, keys, scope, context.now())
  return await callSts(body, signature, context)
}

const sessionName = ({ environment }: AwsContext) => environment.AWS_ROLE_SESSION_NAME || 'tallystick'

function endpointOf({ environment, region }: AwsContext): string {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return environment.AWS_ENDPOINT_URL_STS || `https://sts.${region}.${suffix}/`
}

async function callSts(
  body: string,
  headers: Record<string, string>,
  context: AwsContext,
): Promise<FetchedAwsKeys> {
  const answer = await sendCloudRequest({
    ...{ what, method: 'POST', url: endpointOf(context), body, dispatcher: context.dispatcher() },
    headers: { 'content-type': contentType, ...headers },
  })
  // The code is one of a list. The message is not repeated, because it describes the account.
  const code = textOf(answer.text, 'Code')
  requireSuccess(what, answer, code !== null && /^\w{1,64}$/.test(code) ? `(${code})` : '')
  const keys = ['AccessKeyId', 'SecretAccessKey', 'SessionToken', 'Expiration'] as const
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = keys.map((name) =>
    textOf(answer.text, name),
  )
  const expiresAtMs = Date.parse(expiration ?? '')
  if (!accessKeyId || !secretAccessKey || !sessionToken || Number.isNaN(expiresAtMs))
    throw new CloudIdentityError(`${what} answered something else than credentials`)
  return { keys: { accessKeyId, secretAccessKey, sessionToken }, expiresAtMs }
}

/** The answers have these elements once, and their values have no markup. */
const textOf = (xml: string, element: string): string | null =>
  new RegExp(`<${element}>\\s*([^<&]+?)\\s*</${element}>`).exec(xml)?.[1] ?? null
