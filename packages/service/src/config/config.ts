import type { ModelConfig } from './file/schema.js'
import type { AnchorConfig } from './settings/anchor.js'
import type { LogFormat, LogLevel } from './settings/logging.js'
import type { ProxyConfig } from './settings/network/proxies.js'
import type { PublicUrl } from './settings/network/public-url.js'
import type { Strictness } from './settings/network/strictness.js'
import type { TlsConfig } from './settings/network/tls.js'
import type { OidcConfig } from './settings/oidc.js'
import type { OtlpConfig } from './settings/otlp.js'
import type { McpServerConfig } from './settings/providers/mcp-servers.js'
import type { ProviderConfig } from './settings/providers/providers.js'
import type { CloudEnvironment } from './settings/secrets/cloud-environment.js'
import type { SinkBucket } from './settings/sink-buckets.js'
import type { TracesConfig } from './settings/traces.js'
import type { WebhookConfig } from './settings/webhooks.js'

export interface Config {
  host: string
  port: number
  /** The address at which browsers reach the service. Null when it is the address that the service listens on. */
  publicUrl: PublicUrl | null
  /** Address ranges of proxies whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: string[]
  /** Null when the service speaks plain HTTP. */
  tls: TlsConfig | null
  /** Of the certificate and its key, as they were when the configuration was read. Null without TLS. */
  tlsFilesHash: string | null
  /** Null when every host is reached directly. */
  proxies: ProxyConfig | null
  /** Null when users sign in with keys only. */
  oidc: OidcConfig | null
  dataDir: string
  databaseUrl: string | null
  /** The URL of the database itself, when `databaseUrl` is that of a pooler. Otherwise null. */
  databaseDirectUrl: string | null
  /** The read replica. Null when every read runs on the primary. */
  databaseReadUrl: string | null
  /** How far behind a read replica may be. */
  databaseReadMaxLagMs: number
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
  /** Where sinks may write to with the identity of this machine. */
  sinkBuckets: readonly SinkBucket[]
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
  /** How often secrets in stores are read again. 0 for never. */
  secretsRefreshMs: number
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
  /** Null when log lines go to the standard output alone. */
  logExport: OtlpConfig | null
}
