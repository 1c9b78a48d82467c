import { type ProxyConfig, readProxies } from '../network/proxies.js'
import { createVariableReader, type ReadVariable } from '../variables.js'
import { type CloudEnvironment, readCloudEnvironment } from './cloud-environment.js'
import { createReferences } from './references.js'

export interface VaultConfig {
  address: string
  namespace: string | null
  login:
    | { method: 'token'; token: string }
    | { method: 'approle'; path: string; roleId: string; secretId: string }
    | { method: 'kubernetes'; path: string; role: string; tokenFile: string }
}

/** How secret stores are reached. It is read before the configuration, so it cannot contain references to them. */
export interface SecretStoresConfig {
  /** Null when VAULT_ADDR is not set. */
  vault: VaultConfig | null
  /** The region of AWS Secrets Manager, unless a reference contains one. */
  awsRegion: string | null
  machine: CloudEnvironment
  /** The proxies that stores are reached by. What is wrong with them is a fault of the configuration itself. */
  proxies: ProxyConfig | null
  faults: string[]
}

const serviceAccountToken = '/var/run/secrets/kubernetes.io/serviceaccount/token'

export function readSecretStores(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): SecretStoresConfig {
  const faults: string[] = []
  const references = createReferences({ env, cwd, values: new Map() }, faults)
  const read = createVariableReader(env, cwd, faults, references)
  const vault = readVault(read, env.VAULT_KUBERNETES_TOKEN_FILE?.trim() || serviceAccountToken, faults)
  for (const reference of references.missing)
    faults.push(`${reference}: a setting of a secret store cannot be in a secret store`)
  return {
    vault,
    awsRegion: read('AWS_REGION') ?? read('AWS_DEFAULT_REGION'),
    machine: readCloudEnvironment(env, read, faults),
    proxies: readProxies(read, []),
    faults,
  }
}

function readVault(read: ReadVariable, tokenFile: string, faults: string[]): VaultConfig | null {
  const address = read('VAULT_ADDR')
  if (address === null) return null
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    faults.push('VAULT_ADDR: must be an http or https URL')
  const login = readLogin(read, tokenFile)
  if (login === null) {
    faults.push('VAULT_ADDR: needs VAULT_TOKEN, VAULT_ROLE_ID and VAULT_SECRET_ID, or VAULT_KUBERNETES_ROLE')
    return null
  }
  return { address: address.replace(/\/+$/, ''), namespace: read('VAULT_NAMESPACE'), login }
}

function readLogin(read: ReadVariable, tokenFile: string): VaultConfig['login'] | null {
  const token = read('VAULT_TOKEN')
  const roleId = read('VAULT_ROLE_ID')
  const secretId = read('VAULT_SECRET_ID')
  const role = read('VAULT_KUBERNETES_ROLE')
  const path = read('VAULT_AUTH_PATH')
  if (token !== null) return { method: 'token', token }
  if (roleId !== null && secretId !== null)
    return { method: 'approle', path: path ?? 'approle', roleId, secretId }
  if (role !== null) return { method: 'kubernetes', path: path ?? 'kubernetes', role, tokenFile }
  return null
}
