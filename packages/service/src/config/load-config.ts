import { resolve } from 'node:path'
import type { Config } from './config.js'
import { ConfigError, MissingSecretsError } from './config-error.js'
import { emptyFile, readConfigFile } from './file/config-file.js'
import { readAnchor } from './settings/anchor.js'
import { readWholeNumber } from './settings/integer.js'
import { readLogExport } from './settings/log-export.js'
import { readLogging } from './settings/logging.js'
import { type CommandNeed, readNeeded } from './settings/needs.js'
import { defaultDataDir, readAddress } from './settings/network/address.js'
import { checkExtraCertificates } from './settings/network/extra-certificates.js'
import { readProxies } from './settings/network/proxies.js'
import { readPublicUrl, readTrustedProxies } from './settings/network/public-url.js'
import { readStrictness } from './settings/network/strictness.js'
import { readTls } from './settings/network/tls.js'
import { readOidc } from './settings/oidc.js'
import { checkModels } from './settings/providers/models.js'
import { type KnownProviders, readProviders } from './settings/providers/providers.js'
import { checkPacksDir, checkPricesFile, readSigningKey } from './settings/secondary-files.js'
import { readBootstrapKey } from './settings/secrets/bootstrap-key.js'
import { readCloudEnvironment } from './settings/secrets/cloud-environment.js'
import { readMasterKey } from './settings/secrets/master-key.js'
import { createReferences, isReference, type SecretValues } from './settings/secrets/references.js'
import { readSinkBuckets } from './settings/sink-buckets.js'
import { readStores } from './settings/stores.js'
import { readTraces } from './settings/traces.js'
import type { wholeNumbers } from './settings/variable-table.js'
import { createVariableReader } from './settings/variables.js'
import { readAllowedRanges, readWebhookConfig } from './settings/webhooks.js'
import { readWorkers } from './settings/workers.js'

export interface ConfigSource {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** The known types of providers. */
  known: KnownProviders
  /** What was read from secret stores. */
  secretValues?: SecretValues
  /** Returns what is wrong with the packs in a folder. The composition root passes it, because this module must not import `resources/`. */
  faultsInPacks?: (folder: string) => string[]
  /** What a command needs. Everything when it is left out. */
  needs?: readonly CommandNeed[] | null
}

/**
 * Reads the configuration from the environment and from `tallystick.yaml`. Nothing else reads the environment. It collects all faults
 * before it throws. A fault names the variable or the field and never contains the value, which may be a secret. Throws a
 * `MissingSecretsError` while values of secret stores are missing.
 */
export function loadConfig({
  env,
  cwd,
  known,
  secretValues = new Map(),
  faultsInPacks = () => [],
  needs = null,
}: ConfigSource): Readonly<Config> {
  const faults: string[] = []
  const references = createReferences({ env, cwd, values: secretValues }, faults)
  const read = readNeeded(createVariableReader(env, cwd, faults, references), needs)

  const wholeNumber = (name: keyof typeof wholeNumbers, fallback?: number) =>
    readWholeNumber(name, read, faults, fallback)

  const { host, port } = readAddress(read, faults)
  const shutdownGraceMs = wholeNumber('TALLYSTICK_SHUTDOWN_GRACE_MS')
  const file =
    needs !== null && !needs.includes('TALLYSTICK_CONFIG')
      ? emptyFile
      : readConfigFile(
          {
            path: read('TALLYSTICK_CONFIG'),
            cwd,
            readVariable: withReferences(env, read),
            references,
            withSecrets: needs === null,
          },
          faults,
        )
  const strictness = readStrictness(host, read('NODE_ENV'))
  const { providers, names } = readProviders(file.providers, known, read, faults)
  if (!strictness.strict && file.providerNames.includes('mock')) {
    faults.push('providers.mock: the name "mock" belongs to the built-in mock provider')
  }
  const providerNames = [...file.providerNames, ...names, ...(strictness.strict ? [] : ['mock'])]
  checkModels(file.models, new Set(providerNames), faults)
  if (file.pricesFile !== undefined) checkPricesFile(file.pricesFile, faults)
  const ownPacks = read('TALLYSTICK_PACKS_DIR')
  const packsDir = ownPacks === null ? (file.packsDir ?? null) : resolve(cwd, ownPacks)
  if (packsDir !== null) {
    const name = ownPacks === null ? 'packsDir' : 'TALLYSTICK_PACKS_DIR'
    checkPacksDir({ name, path: packsDir }, faultsInPacks, faults)
  }

  checkExtraCertificates(read, cwd, faults)
  const publicUrl = readPublicUrl(read('TALLYSTICK_PUBLIC_URL'), faults)
  const config: Config = {
    host,
    port,
    publicUrl,
    oidc: readOidc(file.oidc, { read, strict: strictness.strict, publicUrl }, faults),
    ...readTls(read, cwd, faults),
    proxies: readProxies(read, faults),
    trustedProxies: readTrustedProxies(read('TALLYSTICK_TRUSTED_PROXIES'), faults),
    dataDir: resolve(cwd, read('TALLYSTICK_DATA_DIR') ?? defaultDataDir),
    ...readStores(read, faults),
    bootstrapKey: readBootstrapKey(read('TALLYSTICK_BOOTSTRAP_KEY'), faults),
    signingKey: readSigningKey(read('TALLYSTICK_SIGNING_KEY'), cwd, faults),
    masterKey: readMasterKey(read('TALLYSTICK_MASTER_KEY'), cwd, faults),
    backupPassphrase: read('TALLYSTICK_BACKUP_PASSPHRASE'),
    strictness,
    allowedRanges: readAllowedRanges(read, faults),
    sinkBuckets: readSinkBuckets(read, faults),
    ...readLogging(read, faults),
    drainMs: wholeNumber(
      'TALLYSTICK_DRAIN_MS',
      // A local trial has no load balancer, and should stop at once on Ctrl-C.
      strictness.strict ? undefined : 0,
    ),
    shutdownGraceMs,
    clientStallMs: wholeNumber('TALLYSTICK_CLIENT_STALL_MS'),
    listenBacklog: wholeNumber('TALLYSTICK_LISTEN_BACKLOG'),
    workers: readWorkers(read('TALLYSTICK_WORKERS'), faults),
    workerSilenceMs: wholeNumber('TALLYSTICK_WORKER_SILENCE_MS'),
    secretsRefreshMs: wholeNumber('TALLYSTICK_SECRETS_REFRESH_MS'),
    providers,
    machine: readCloudEnvironment(env, read, needs === null ? faults : []),
    models: file.models,
    mcpServers: file.mcpServers,
    pricesFile: file.pricesFile ?? null,
    packsDir,
    anchor: readAnchor(file.anchor, read, cwd, faults),
    streamHoldBackChars: wholeNumber('TALLYSTICK_STREAM_HOLD_BACK_CHARS'),
    webhooks: readWebhookConfig(read, faults),
    callsRetentionDays: wholeNumber('TALLYSTICK_CALLS_RETENTION_DAYS', file.callsRetentionDays),
    growth: {
      usageHoursDays: wholeNumber('TALLYSTICK_USAGE_HOURS_DAYS'),
      sealsDays: wholeNumber('TALLYSTICK_SEALS_DAYS'),
      auditDays: wholeNumber('TALLYSTICK_AUDIT_RETENTION_DAYS'),
    },
    traces: readTraces(read, faults),
    logExport: readLogExport(read, faults),
  }
  if (references.missing.size > 0) throw new MissingSecretsError(references.missing)
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** What `${NAME}` stands for: an empty variable is an empty text, and a reference is what it refers to. */
const withReferences =
  (env: ConfigSource['env'], read: (name: string) => string | null) =>
  (name: string): string | null => {
    const value = env[name]
    return value === undefined || isReference(value.trim()) ? read(name) : value
  }
