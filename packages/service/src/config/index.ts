import { resolve } from 'node:path'
import { readConfigFile } from './file/config-file.js'
import type { ModelConfig } from './file/schema.js'
import { type AnchorConfig, readAnchor } from './settings/anchor.js'
import { readInteger } from './settings/integer.js'
import { readMasterKey } from './settings/master-key.js'
import type { McpServerConfig } from './settings/mcp-servers.js'
import { type OidcConfig, readOidc } from './settings/oidc.js'
import { type KnownProviders, type ProviderConfig, readProviders } from './settings/providers.js'
import { type PublicUrl, readPublicUrl, readTrustedProxies } from './settings/public-url.js'
import { checkPacksDir, checkPricesFile, readSigningKey } from './settings/secondary-files.js'
import { readStrictness, type Strictness } from './settings/strictness.js'
import { readTraces, type TracesConfig } from './settings/traces.js'
import { readAllowedRanges, readWebhookConfig, type WebhookConfig } from './settings/webhooks.js'

export type { ModelConfig } from './file/schema.js'
export type { AnchorConfig } from './settings/anchor.js'
export { parseMasterKeys } from './settings/master-key.js'
export { defaultLimits, defaultTimeouts, type ProviderConfig } from './settings/providers.js'
export type { PublicUrl } from './settings/public-url.js'
export { readVersion } from './version.js'

export interface Config {
  host: string
  port: number
  /** Where browsers find the service; null when that is where it listens. */
  publicUrl: PublicUrl | null
  /** Ranges of proxies whose word on the caller's address, host and protocol counts. */
  trustedProxies: string[]
  /** Null: people sign in with keys alone. */
  oidc: OidcConfig | null
  dataDir: string
  databaseUrl: string | null
  /** Past the pooler that `databaseUrl` leads to; null when it leads to the database itself. */
  databaseDirectUrl: string | null
  /** How many connections the pool of a process has at most. */
  databaseConnections: number
  redisUrl: string | null
  bootstrapKey: string | null
  signingKey: string | null
  /** Keys, or the path of a file with them; null for one that is made in the data directory. */
  masterKey: string | null
  strictness: Strictness
  /** Private ranges that tenants' URLs may lead to all the same. */
  allowedRanges: string[]
  logLevel: LogLevel
  /** `auto`: for people at a terminal, for machines anywhere else. */
  logFormat: LogFormat
  logColour: boolean
  /** How long it is served on after SIGTERM, unready, so that balancers go elsewhere before it closes. */
  drainMs: number
  shutdownGraceMs: number
  /** How long a caller may take nothing of an answer before it is cut off; 0 for ever. */
  clientStallMs: number
  /** How many connections may wait to be accepted. */
  listenBacklog: number
  /** With `--workers`: one that is silent for so long is killed and replaced; 0 for never. */
  workerSilenceMs: number
  providers: ProviderConfig[]
  models: Record<string, ModelConfig>
  mcpServers: McpServerConfig[]
  pricesFile: string | null
  /** A folder with packs of the operator's own. */
  packsDir: string | null
  anchor: AnchorConfig
  /** How many characters of a streamed answer are held back for what may follow them, where policies judge it. */
  streamHoldBackChars: number
  webhooks: WebhookConfig
  /** How long calls can be searched. The record keeps its own rules. */
  callsRetentionDays: number
  growth: {
    /** Older usage is kept by the day, older spend by the month. */
    usageHoursDays: number
    /** Of older seals the last of each hour is kept; 0 keeps all. */
    sealsDays: number
    /** 0 keeps all. */
    auditDays: number
  }
  /** Null: no traces. */
  traces: TracesConfig | null
}

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
type LogLevel = (typeof logLevels)[number]
const logFormats = ['auto', 'json', 'pretty'] as const
type LogFormat = (typeof logFormats)[number]

/** Thrown once, with every fault in words, so that an operator can fix all of them at once. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    )
    this.name = 'ConfigError'
  }
}

export interface ConfigSource {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** Which types of providers there are. */
  known: KnownProviders
}

/**
 * The only reader of the environment. Collects every fault before it throws. A fault names the variable or the place
 * and never repeats what stands there: it may be a secret, or a secret in the wrong place.
 */
// A year and a month: periods of budgets, and a comparison with the year before, are told by the day.
const minDetailDays = 400

export function loadConfig({ env, cwd, known }: ConfigSource): Readonly<Config> {
  const faults: string[] = []
  const read = (name: string): string | null => env[name]?.trim() || null

  const port = readInteger(read('TALLYSTICK_PORT'), 7070, 0, 65_535, 'TALLYSTICK_PORT', faults)
  const shutdownGraceMs = readInteger(
    read('TALLYSTICK_SHUTDOWN_GRACE_MS'),
    30_000,
    0,
    3_600_000,
    'TALLYSTICK_SHUTDOWN_GRACE_MS',
    faults,
  )
  const file = readConfigFile({ path: read('TALLYSTICK_CONFIG'), cwd, env }, faults)
  const host = read('TALLYSTICK_HOST') ?? '127.0.0.1'
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

  const publicUrl = readPublicUrl(read('TALLYSTICK_PUBLIC_URL'), faults)
  const config: Config = {
    host,
    port,
    publicUrl,
    oidc: readOidc(file.oidc, { read, strict: strictness.strict, publicUrl }, faults),
    trustedProxies: readTrustedProxies(read('TALLYSTICK_TRUSTED_PROXIES'), faults),
    dataDir: resolve(cwd, read('TALLYSTICK_DATA_DIR') ?? './.tallystick'),
    ...readDatabase(read, faults),
    redisUrl: readUrl(read('REDIS_URL'), ['redis:', 'rediss:'], 'REDIS_URL', faults),
    bootstrapKey: readBootstrapKey(read('TALLYSTICK_BOOTSTRAP_KEY'), faults),
    signingKey: readSigningKey(read('TALLYSTICK_SIGNING_KEY'), cwd, faults),
    masterKey: readMasterKey(read('TALLYSTICK_MASTER_KEY'), cwd, faults),
    strictness,
    allowedRanges: readAllowedRanges(read, faults),
    logLevel: logLevel ?? 'info',
    logFormat: logFormat ?? 'auto',
    // https://no-color.org
    logColour: read('NO_COLOR') === null,
    drainMs: readInteger(
      read('TALLYSTICK_DRAIN_MS'),
      // Nothing balances a trial, and Ctrl-C is to be quick.
      strictness.strict ? 5_000 : 0,
      0,
      600_000,
      'TALLYSTICK_DRAIN_MS',
      faults,
    ),
    shutdownGraceMs,
    clientStallMs: readInteger(
      read('TALLYSTICK_CLIENT_STALL_MS'),
      60_000,
      0,
      86_400_000,
      'TALLYSTICK_CLIENT_STALL_MS',
      faults,
    ),
    listenBacklog: readInteger(
      read('TALLYSTICK_LISTEN_BACKLOG'),
      4_096,
      1,
      65_535,
      'TALLYSTICK_LISTEN_BACKLOG',
      faults,
    ),
    workerSilenceMs: readInteger(
      read('TALLYSTICK_WORKER_SILENCE_MS'),
      30_000,
      0,
      3_600_000,
      'TALLYSTICK_WORKER_SILENCE_MS',
      faults,
    ),
    providers,
    models: file.models,
    mcpServers: file.mcpServers,
    pricesFile: file.pricesFile ?? null,
    packsDir,
    anchor: readAnchor(file.anchor, read, cwd, faults),
    streamHoldBackChars: readInteger(
      read('TALLYSTICK_STREAM_HOLD_BACK_CHARS'),
      256,
      16,
      16_384,
      'TALLYSTICK_STREAM_HOLD_BACK_CHARS',
      faults,
    ),
    webhooks: readWebhookConfig(read, faults),
    callsRetentionDays: readInteger(
      read('TALLYSTICK_CALLS_RETENTION_DAYS'),
      file.callsRetentionDays ?? 400,
      1,
      36_500,
      'TALLYSTICK_CALLS_RETENTION_DAYS',
      faults,
    ),
    growth: {
      usageHoursDays: readInteger(
        read('TALLYSTICK_USAGE_HOURS_DAYS'),
        400,
        minDetailDays,
        36_500,
        'TALLYSTICK_USAGE_HOURS_DAYS',
        faults,
      ),
      sealsDays: readInteger(read('TALLYSTICK_SEALS_DAYS'), 30, 0, 36_500, 'TALLYSTICK_SEALS_DAYS', faults),
      auditDays: readInteger(
        read('TALLYSTICK_AUDIT_RETENTION_DAYS'),
        0,
        0,
        36_500,
        'TALLYSTICK_AUDIT_RETENTION_DAYS',
        faults,
      ),
    },
    traces: readTraces(read, faults),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

function readDatabase(read: (name: string) => string | null, faults: string[]) {
  const readPostgresUrl = (name: string) => readUrl(read(name), ['postgres:', 'postgresql:'], name, faults)
  const directUrl = readPostgresUrl('TALLYSTICK_DATABASE_DIRECT_URL')
  if (directUrl !== null && read('DATABASE_URL') === null)
    faults.push('TALLYSTICK_DATABASE_DIRECT_URL: needs DATABASE_URL, the pooler that it leads past')
  return {
    databaseUrl: readPostgresUrl('DATABASE_URL'),
    databaseDirectUrl: directUrl,
    databaseConnections: readInteger(
      read('TALLYSTICK_DATABASE_CONNECTIONS'),
      10,
      // Work that holds one while it needs another: the recovery of a dead process, the day's anchor.
      3,
      1_000,
      'TALLYSTICK_DATABASE_CONNECTIONS',
      faults,
    ),
  }
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
