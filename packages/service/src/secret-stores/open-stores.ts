import { Agent } from 'undici'
import { ConfigError, readSecretStores, type SecretStoresConfig, type StoreScheme } from '../config/index.js'
import { createAwsSecretsManager } from './aws-secrets-manager.js'
import { createSecretReader, type SecretReader } from './secret-reader.js'
import { type SecretStore, SecretStoreError } from './secret-store.js'
import { createVault } from './vault/vault.js'

type OpenStore = (config: SecretStoresConfig, dispatcher: Agent) => SecretStore

const stores: Record<StoreScheme, OpenStore> = {
  vault: ({ vault }, dispatcher) => {
    if (vault === null) throw new SecretStoreError('needs VAULT_ADDR')
    return createVault(vault, dispatcher, Date.now)
  },
  'aws-sm': (config, dispatcher) => createAwsSecretsManager(config, dispatcher, Date.now),
}

/** Opens the secret stores that the environment describes, each when it is needed first. */
export function openSecretReader(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  onOutage?: (message: string) => void,
): SecretReader {
  // Bounded: one for each scheme.
  const opened = new Map<StoreScheme, SecretStore>()
  function open(scheme: StoreScheme): SecretStore {
    const known = opened.get(scheme)
    if (known) return known
    const config = readSecretStores(env, cwd)
    if (config.faults.length > 0) throw new ConfigError(config.faults)
    const store = stores[scheme](config, new Agent({ connect: { timeout: 5_000 } }))
    opened.set(scheme, store)
    return store
  }
  return createSecretReader(open, onOutage)
}
