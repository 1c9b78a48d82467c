import { resolve } from 'node:path'
import { emptyFile, readConfigFile } from './file/config-file.js'
import type { ModelConfig } from './file/schema.js'
import { readAddress } from './settings/address.js'
import { type AnchorConfig, readAnchor } from './settings/anchor.js'
import { type CloudEnvironment, readCloudEnvironment } from './settings/cloud-environment.js'
import { checkExtraCertificates } from './settings/extra-certificates.js'
import { readWholeNumber } from './settings/integer.js'
import { readMasterKey } from './settings/master-key.js'
import type { McpServerConfig } from './settings/mcp-servers.js'
import { type CommandNeed, readNeeded } from './settings/needs.js'
import { type OidcConfig, readOidc } from './settings/oidc.js'
import { type KnownProviders, type ProviderConfig, readProviders } from './settings/providers.js'
import { type ProxyConfig, readProxies } from './settings/proxies.js'
import { type PublicUrl, readPublicUrl, readTrustedProxies } from './settings/public-url.js'
import { createReferences, isReference, type SecretValues } from './settings/references.js'
import { checkPacksDir, checkPricesFile, readSigningKey } from './settings/secondary-files.js'
import { namesOfFields } from './settings/setting-names.js'
import { readStrictness, type Strictness } from './settings/strictness.js'
import { readTls, type TlsConfig } from './settings/tls.js'
import { readTraces, type TracesConfig } from './settings/traces.js'
import type { wholeNumbers } from './settings/variable-table.js'
import { createVariableReader } from './settings/variables.js'
import { readAllowedRanges, readWebhookConfig, type WebhookConfig } from './settings/webhooks.js'

export { describeSample } from './file/sample.js'
export type { ModelConfig } from './file/schema.js'
export { readProbeUrl } from './settings/address.js'
export type { AnchorConfig } from './settings/anchor.js'
export type { CloudEnvironment } from './settings/cloud-environment.js'
export { parseMasterKeys } from './settings/master-key.js'
export type { CommandNeed } from './settings/needs.js'
export { defaultLimits, defaultTimeouts } from './settings/provider-defaults.js'
export type { ProviderConfig } from './settings/providers.js'
export type { PublicUrl } from './settings/public-url.js'
export {
  parseReference,
  pickMember,
  type SecretValues,
  type StoreScheme,
} from './settings/references.js'
export {
  readSecretStores,
  type SecretStoresConfig,
  type VaultConfig,
} from './settings/secret-stores.js'
export { readVersion } from './version.js'

export interface Config {
  host: string
  port: number
  /** The address at which browsers reach the service. Null when it is the address that the service listens on. */
  publicUrl: PublicUrl | null
  /** Address ranges of proxies whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: string[]
  /** Null when the service speaks plain HTTP. */
  tls: TlsConfig | null
  /** Null when every host is reached directly. */
  proxies: ProxyConfig | null
  /** Null when users sign in with keys only. */
  oidc: OidcConfig | null
  dataDir: string
  databaseUrl: string | null
  /** The URL of the database itself, when `databaseUrl` is that of a pooler. Otherwise null. */
  databaseDirectUrl: string | null
  /** The maximum number of connections in the pool of a process. */
  databaseConnections: number
  redisUrl: string | null
  bootstrapKey: string | null
  signingKey: string | null
  /** Keys, or the path of a file with keys. Null for a generated key in the data directory. */
  masterKey: string | null
  /** The passphrase that seals the keys of a backup. */
  backupPassphrase: string | null
  strictness: Strictness
  /** Private address ranges that URLs of tenants may nevertheless lead to. */
  allowedRanges: string[]
  logLevel: LogLevel
  /** `auto` means `pretty` in a terminal and `json` otherwise. */
  logFormat: LogFormat
  logColour: boolean
  /** How long the service continues to serve after SIGTERM while it reports that it is not ready, so that load balancers stop using it. */
  drainMs: number
  shutdownGraceMs: number
  /** How long a caller may stop reading an answer before it is disconnected. 0 for no limit. */
  clientStallMs: number
  /** The number of connections that may wait to be accepted. */
  listenBacklog: number
  /** The number of worker processes. `auto` decides by the processors that this process may use. */
  workers: number | 'auto'
  /** With several workers: how long a worker may not respond before it is killed and replaced. 0 for no limit. */
  workerSilenceMs: number
  providers: ProviderConfig[]
  /** What the platform tells about the identity of this machine. Only the operator's providers may use it. */
  machine: CloudEnvironment
  models: Record<string, ModelConfig>
  mcpServers: McpServerConfig[]
  pricesFile: string | null
  /** A folder with additional packs. */
  packsDir: string | null
  anchor: AnchorConfig
  /** The number of characters of a judged stream that are held back, because a match may continue in the next characters. */
  streamHoldBackChars: number
  webhooks: WebhookConfig
  /** How long calls can be searched. It does not affect the record. */
  callsRetentionDays: number
  growth: {
    /** Older usage is kept per day, and older spend per month. */
    usageHoursDays: number
    /** Of older seals, the last of each hour is kept. 0 keeps all seals. */
    sealsDays: number
    /** 0 keeps all audit entries. */
    auditDays: number
  }
  /** Null when no traces are sent. */
  traces: TracesConfig | null
}

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
type LogLevel = (typeof logLevels)[number]
const logFormats = ['auto', 'json', 'pretty'] as const
type LogFormat = (typeof logFormats)[number]

/** Contains a message for every fault of the configuration, so that an operator can fix all of them at once. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    )
    this.name = 'ConfigError'
  }
}

/** The setting that each field comes from, as messages name it. */
export const settingNames: Readonly<Partial<Record<keyof Config, string>>> = namesOfFields

/** The configuration refers to secrets in stores, which are read before it can be used. */
export class MissingSecretsError extends ConfigError {
  constructor(readonly references: ReadonlySet<string>) {
    super([...references].map((reference) => `${reference}: is in a secret store, which is not read here`))
    this.name = 'MissingSecretsError'
  }
}

export interface ConfigSource {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** The known types of providers. */
  known: KnownProviders
  /** What was read from secret stores. */
  secretValues?: SecretValues
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
  if (packsDir !== null) checkPacksDir(packsDir, faults)

  const logLevel = logLevels.find((level) => level === (read('TALLYSTICK_LOG_LEVEL') ?? 'info'))
  if (!logLevel) faults.push(`TALLYSTICK_LOG_LEVEL: must be one of ${logLevels.join(', ')}`)
  const logFormat = logFormats.find((format) => format === (read('TALLYSTICK_LOG_FORMAT') ?? 'auto'))
  if (!logFormat) faults.push(`TALLYSTICK_LOG_FORMAT: must be one of ${logFormats.join(', ')}`)

  checkExtraCertificates(read, cwd, faults)
  const publicUrl = readPublicUrl(read('TALLYSTICK_PUBLIC_URL'), faults)
  const config: Config = {
    host,
    port,
    publicUrl,
    oidc: readOidc(file.oidc, { read, strict: strictness.strict, publicUrl }, faults),
    tls: readTls(read, cwd, faults),
    proxies: readProxies(read, faults),
    trustedProxies: readTrustedProxies(read('TALLYSTICK_TRUSTED_PROXIES'), faults),
    dataDir: resolve(cwd, read('TALLYSTICK_DATA_DIR') ?? './.tallystick'),
    ...readDatabase(read, faults),
    redisUrl: readUrl(read('REDIS_URL'), ['redis:', 'rediss:'], 'REDIS_URL', faults),
    bootstrapKey: readBootstrapKey(read('TALLYSTICK_BOOTSTRAP_KEY'), faults),
    signingKey: readSigningKey(read('TALLYSTICK_SIGNING_KEY'), cwd, faults),
    masterKey: readMasterKey(read('TALLYSTICK_MASTER_KEY'), cwd, faults),
    backupPassphrase: read('TALLYSTICK_BACKUP_PASSPHRASE'),
    strictness,
    allowedRanges: readAllowedRanges(read, faults),
    logLevel: logLevel ?? 'info',
    logFormat: logFormat ?? 'auto',
    // https://no-color.org
    logColour: read('NO_COLOR') === null,
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
    providers,
    machine: readCloudEnvironment(env, read),
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

function readDatabase(read: (name: string) => string | null, faults: string[]) {
  const readPostgresUrl = (name: string) => readUrl(read(name), ['postgres:', 'postgresql:'], name, faults)
  const directUrl = readPostgresUrl('TALLYSTICK_DATABASE_DIRECT_URL')
  if (directUrl !== null && read('DATABASE_URL') === null)
    faults.push('TALLYSTICK_DATABASE_DIRECT_URL: needs DATABASE_URL, the pooler that it leads past')
  return {
    databaseUrl: readPostgresUrl('DATABASE_URL'),
    databaseDirectUrl: directUrl,
    databaseConnections: readWholeNumber('TALLYSTICK_DATABASE_CONNECTIONS', read, faults),
  }
}

function readWorkers(text: string | null, faults: string[]): number | 'auto' {
  if (text === null || text === 'auto') return 'auto'
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  faults.push('TALLYSTICK_WORKERS: must be a whole number from 1 to 999, or auto')
  return 'auto'
}

function readUrl(text: string | null, protocols: string[], name: string, faults: string[]): string | null {
  if (text === null) return null
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  faults.push(`${name}: must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
  return null
}

function readBootstrapKey(value: string | null, faults: string[]): string | null {
  if (value === null || /^tallystick_sk_[0-9A-Za-z]{20,200}$/.test(value)) return value
  faults.push('TALLYSTICK_BOOTSTRAP_KEY: must be tallystick_sk_ followed by 20 to 200 letters and digits')
  return null
}

function checkModels(
  models: Record<string, ModelConfig>,
  providerNames: Set<string>,
  faults: string[],
): void {
  for (const [name, { provider }] of Object.entries(models)) {
    if (providerNames.has(provider)) continue
    const known =
      providerNames.size > 0 ? `configured: ${[...providerNames].join(', ')}` : 'none is configured'
    faults.push(`models.${name}.provider: there is no such provider (${known})`)
  }
}
