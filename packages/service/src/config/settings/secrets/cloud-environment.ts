import type { ReadVariable } from '../variables.js'
import { cloudVariables } from './cloud-variables.js'

export type CloudVariable = keyof typeof cloudVariables

/** What the platform tells this process about its identity. */
export type CloudEnvironment = Readonly<Partial<Record<CloudVariable, string>>>

/** Keys may also be in files. The other variables are set by the platform, and some of them end with `_FILE` themselves. */
const secretVariables: readonly string[] = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']

/** Addresses of services that hand out credentials. */
const urls: readonly CloudVariable[] = [
  'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL_STS',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_EC2_METADATA_SERVICE_ENDPOINT',
  'AZURE_AUTHORITY_HOST',
  'AZURE_POD_IDENTITY_AUTHORITY_HOST',
  'IDENTITY_ENDPOINT',
]

export function readCloudEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  read: ReadVariable,
  faults: string[],
): CloudEnvironment {
  const values: CloudEnvironment = Object.fromEntries(
    Object.keys(cloudVariables).flatMap((name) => {
      const value = secretVariables.includes(name) ? read(name) : env[name]?.trim()
      return value ? [[name, value]] : []
    }),
  )
  for (const name of urls) {
    const text = values[name]
    if (text !== undefined && !(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)))
      faults.push(`${name}: must be an http or https URL`)
  }
  const mode = values.AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE
  if (mode !== undefined && !/^ipv[46]$/i.test(mode))
    faults.push('AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: must be IPv4 or IPv6')
  return values
}
