import type { Dispatcher } from 'undici'
import { readSecretStores, type SecretStoresConfig, type StoreScheme } from '../config/index.js'
import { createOutbound } from '../outbound/index.js'
import { createAwsSecretsManager } from './aws-secrets-manager.js'
import { createSecretReader, type ReferenceReader } from './secret-reader.js'
import { type SecretStore, SecretStoreError } from './secret-store.js'
import { createVault } from './vault/vault.js'

type OpenStore = (config: SecretStoresConfig, dispatcher: Dispatcher) => SecretStore

const stores: Record<StoreScheme, OpenStore> = {
  vault: ({ vault }, dispatcher) => {
    if (vault === null) throw new SecretStoreError('needs VAULT_ADDR')
    return createVault(vault, dispatcher, Date.now)
  },
  'aws-sm': (config, dispatcher) => createAwsSecretsManager(config, dispatcher, Date.now),
}

export interface SecretReader extends ReferenceReader {
  /** Returns what is wrong with the settings of the stores that were needed. */
  faults(): readonly string[]
}

/** Opens the secret stores that the environment describes, each when it is needed first. */
export function openSecretReader(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): SecretReader {
  // Bounded: one for each scheme.
  const opened = new Map<StoreScheme, SecretStore>()
  // Bounded: faults of the settings of stores, read again for each attempt.
  let faults: readonly string[] = []
  function open(scheme: StoreScheme): SecretStore {
    const known = opened.get(scheme)
    if (known) return known
    const config = readSecretStores(env, cwd)
    faults = config.faults
    if (faults.length > 0) throw new SecretStoreError('needs correct settings of its store')
    const outbound = createOutbound({ strict: false, proxies: config.proxies })
    const dispatcher = outbound.createAgent({ isVetted: false, connectTimeoutMs: 5_000 })
    const store = stores[scheme](config, dispatcher)
    opened.set(scheme, store)
    return store
  }
  return { ...createSecretReader(open), faults: () => faults }
}
