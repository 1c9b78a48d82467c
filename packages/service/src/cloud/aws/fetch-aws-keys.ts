import { fetchFromFirst } from '../fetch-from-first.js'
import type { AwsContext, FetchedAwsKeys } from './aws-context.js'
import { containerKeys } from './container-keys.js'
import { instanceKeys } from './instance-keys.js'
import { assumeRole, assumeRoleWithWebIdentity } from './sts.js'

/** The order in which they are tried, which is that of the vendor's own SDKs. */
export const awsSources = ['environment', 'web-identity', 'container', 'instance'] as const
export type AwsSource = (typeof awsSources)[number]

export interface AwsIdentity {
  /** Null for the first source that the environment describes, or else the instance. */
  from: AwsSource | null
  /** A role that is assumed with the credentials of the source. */
  roleArn: string | null
  externalId: string | null
}

const missing: Record<AwsSource, string> = {
  environment: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set',
  'web-identity': 'AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN are not set',
  container: 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and AWS_CONTAINER_CREDENTIALS_FULL_URI are not set',
  instance: 'AWS_EC2_METADATA_DISABLED is true',
}

const fetchers: Record<AwsSource, (context: AwsContext) => Promise<FetchedAwsKeys> | null> = {
  environment: environmentKeys,
  'web-identity': assumeRoleWithWebIdentity,
  container: containerKeys,
  instance: instanceKeys,
}

/** Fetches the keys of this machine, and with them those of a role. */
export async function fetchAwsKeys(
  { from, roleArn, externalId }: AwsIdentity,
  context: AwsContext,
): Promise<FetchedAwsKeys> {
  const sources = from === null ? awsSources : [from]
  const base = await fetchFromFirst<FetchedAwsKeys>(
    'AWS credentials',
    sources.map((name) => ({ name, missing: missing[name], fetch: () => fetchers[name](context) })),
  )
  return roleArn === null ? base : await assumeRole({ keys: base.keys, roleArn, externalId }, context)
}

function environmentKeys({ environment }: AwsContext): Promise<FetchedAwsKeys> | null {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return null
  const keys = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
  return Promise.resolve({
    keys: AWS_SESSION_TOKEN ? { ...keys, sessionToken: AWS_SESSION_TOKEN } : keys,
    expiresAtMs: null,
  })
}
