/** An environment variable as `docs/reference/configuration.md` lists it. The texts are Markdown. */
interface Variable {
  meaning: string
  /** What applies when the variable is not set. */
  fallback: string
}

interface WholeNumber {
  meaning: string
  fallback: number
  min: number
  max: number
  /** Shown in place of `fallback`, where the default depends on something else. */
  shown?: string
}

/** Variables with whole numbers. A test compares this table and the next one with what `loadConfig` reads. */
export const wholeNumbers = {
  TALLYSTICK_PORT: {
    meaning: 'Port to listen on. `0` chooses a free one',
    fallback: 7_070,
    min: 0,
    max: 65_535,
  },
  TALLYSTICK_DATABASE_CONNECTIONS: {
    meaning: 'Maximum size of the connection pool of a process',
    fallback: 10,
    // The recovery of a dead process and the daily anchor hold one connection while they need another.
    min: 3,
    max: 1_000,
  },
  TALLYSTICK_DATABASE_READ_MAX_LAG_MS: {
    meaning: 'A read replica that is further behind is not read; the primary answers instead',
    fallback: 30_000,
    min: 0,
    max: 86_400_000,
  },
  TALLYSTICK_DRAIN_MS: {
    meaning: 'After SIGTERM: how long the service continues to serve while `/readyz` returns 503',
    fallback: 5_000,
    min: 0,
    max: 600_000,
    shown: '`5000`; `0` in a local trial',
  },
  TALLYSTICK_SHUTDOWN_GRACE_MS: {
    meaning: 'After the drain: how long calls in progress may take',
    fallback: 30_000,
    min: 0,
    max: 3_600_000,
  },
  TALLYSTICK_CLIENT_STALL_MS: {
    meaning: 'A connection is closed when its caller reads nothing of a response for this long. `0`: never',
    fallback: 60_000,
    min: 0,
    max: 86_400_000,
  },
  TALLYSTICK_LISTEN_BACKLOG: {
    meaning: 'Connections that may wait to be accepted. The system limits it to `net.core.somaxconn`',
    fallback: 4_096,
    min: 1,
    max: 65_535,
  },
  TALLYSTICK_SECRETS_REFRESH_MS: {
    meaning:
      'How often [secrets in stores](../operate/secrets.md) are read again. A changed one is applied as by SIGHUP. `0`: only by SIGHUP',
    fallback: 300_000,
    min: 0,
    max: 86_400_000,
  },
  TALLYSTICK_WORKER_SILENCE_MS: {
    meaning: 'A worker that does not respond for this long is killed and replaced. `0`: never',
    fallback: 30_000,
    min: 0,
    max: 3_600_000,
  },
  TALLYSTICK_STREAM_HOLD_BACK_CHARS: {
    meaning: 'Characters of a stream that are held back so that policies can match across chunks',
    fallback: 256,
    min: 16,
    max: 16_384,
  },
  TALLYSTICK_WEBHOOK_RETENTION_DAYS: {
    meaning: 'How long finished webhook deliveries are kept',
    fallback: 30,
    min: 1,
    max: 3_650,
  },
  TALLYSTICK_CALLS_RETENTION_DAYS: {
    meaning:
      'How long calls can be searched. Receipts are not affected. Overrides `callsRetentionDays` in the file',
    fallback: 400,
    min: 1,
    max: 36_500,
  },
  TALLYSTICK_USAGE_HOURS_DAYS: {
    meaning:
      'How long usage is kept by hour and spend by day. Older usage is kept by day, older spend by month',
    fallback: 400,
    // A year and a month, because budget periods and comparisons with the previous year need daily values.
    min: 400,
    max: 36_500,
  },
  TALLYSTICK_SEALS_DAYS: {
    meaning: 'How long every seal is kept. Of older seals, the last of each hour stays. `0`: all stay',
    fallback: 30,
    min: 0,
    max: 36_500,
  },
  TALLYSTICK_AUDIT_RETENTION_DAYS: {
    meaning: 'How long audit log entries are kept. `0`: for ever',
    fallback: 0,
    min: 0,
    max: 36_500,
  },
} as const satisfies Record<string, WholeNumber>

/** All other variables, except those of providers (`<VENDOR>_API_KEY`, `<VENDOR>_BASE_URL`). */
export const variables: Record<string, Variable> = {
  TALLYSTICK_HOST: {
    meaning: 'Address to listen on. Anything but loopback makes the rules [strict](#local-trial-or-strict)',
    fallback: '`127.0.0.1`',
  },
  TALLYSTICK_PUBLIC_URL: {
    meaning: 'URL at which users reach the service behind a proxy, with its path',
    fallback: 'the listening address',
  },
  TALLYSTICK_TLS_CERTIFICATE: {
    meaning:
      'Path of the certificate with its chain (PEM). The service then answers by [HTTPS](../deploy/network.md)',
    fallback: 'plain HTTP',
  },
  TALLYSTICK_TLS_KEY: { meaning: 'Path of the key of that certificate (PEM)', fallback: 'none' },
  TALLYSTICK_TLS_MIN_VERSION: { meaning: '`TLSv1.2` or `TLSv1.3`', fallback: '`TLSv1.2`' },
  TALLYSTICK_TRUSTED_PROXIES: {
    meaning: 'Addresses or ranges of proxies whose `X-Forwarded-*` headers are trusted, separated by commas',
    fallback: 'none',
  },
  HTTPS_PROXY: {
    meaning:
      'Proxy for `https:` targets: `http://user:password@host:3128` or `https://…`. Also in lower case',
    fallback: 'no proxy',
  },
  HTTP_PROXY: { meaning: 'Proxy for `http:` targets. Also in lower case', fallback: 'no proxy' },
  NO_PROXY: {
    meaning:
      'Targets without a proxy: domains, addresses and ranges, each with or without a port; `*`: all. Also in lower case',
    fallback: 'this machine',
  },
  TALLYSTICK_PROXY_RESOLVES_NAMES: {
    meaning:
      '`true`: names of targets are not resolved on this machine; the proxy [must refuse private addresses](../deploy/network.md)',
    fallback: '`false`',
  },
  NODE_EXTRA_CA_CERTS: {
    meaning: 'PEM file with authorities that are trusted in addition to the public ones, by every connection',
    fallback: 'none',
  },
  TALLYSTICK_DATA_DIR: {
    meaning: 'Folder of the embedded Postgres, the signing key, the master key and the spool',
    fallback: '`./.tallystick`',
  },
  DATABASE_URL: { meaning: 'External Postgres: `postgres://…`', fallback: 'the embedded Postgres' },
  TALLYSTICK_DATABASE_DIRECT_URL: {
    meaning: 'The database itself, when `DATABASE_URL` is that of a transaction pooler',
    fallback: '`DATABASE_URL`',
  },
  TALLYSTICK_DATABASE_READ_URL: {
    meaning:
      '[Read replica](../operate/scale.md#read-replica) for usage, lists of calls, the audit log and exports',
    fallback: 'the primary answers all reads',
  },
  REDIS_URL: {
    meaning: 'Redis 7 or Valkey for shared limits (`redis://` or `rediss://`). Required for several machines',
    fallback: 'limits are counted in the process',
  },
  TALLYSTICK_BOOTSTRAP_KEY: {
    meaning: 'First manager key of an empty database: `tallystick_sk_` and 20 to 200 letters and digits',
    fallback: 'generated and printed once',
  },
  TALLYSTICK_CONFIG: {
    meaning: 'Path of the configuration file',
    fallback: '`./tallystick.yaml`, if it exists',
  },
  TALLYSTICK_SIGNING_KEY: {
    meaning: 'Ed25519 private key that signs the record: PEM text, or the path of a PEM file',
    fallback: 'generated in the data directory',
  },
  TALLYSTICK_MASTER_KEY: {
    meaning:
      'Key that encrypts stored secrets: 32 bytes as base64 or hex, several separated by commas, or a path',
    fallback: 'generated in the data directory',
  },
  TALLYSTICK_BACKUP_PASSPHRASE: {
    meaning:
      'Passphrase that seals the keys in a [backup](../operate/backup.md). Only `backup` and `restore` use it',
    fallback: 'none',
  },
  TALLYSTICK_OIDC_CLIENT_SECRET: { meaning: 'Overrides `oidc.clientSecret` in the file', fallback: 'none' },
  TALLYSTICK_PACKS_DIR: {
    meaning: 'Folder with additional compliance packs. Overrides `packsDir`',
    fallback: 'none',
  },
  TALLYSTICK_ANCHOR_FILE: {
    meaning: 'File to which daily checkpoints are appended. Overrides `anchor`',
    fallback: 'none',
  },
  TALLYSTICK_ANCHOR_TSA_URL: {
    meaning: 'RFC 3161 authority that stamps daily checkpoints. Overrides `anchor`',
    fallback: 'none',
  },
  TALLYSTICK_ALLOW_PRIVATE_TARGETS: {
    meaning:
      'Private ranges that webhooks and policy services may use under strict rules, also by plain HTTP',
    fallback: 'none',
  },
  TALLYSTICK_SINK_BUCKETS: {
    meaning:
      'Buckets that sinks may write to with the identity of this machine: `tenant/bucket`, separated by commas',
    fallback: 'none',
  },
  TALLYSTICK_WORKERS: {
    meaning: 'Worker processes: 1 to 999, or `auto`. `serve --workers` takes precedence',
    fallback: '`auto`',
  },
  TALLYSTICK_LOG_LEVEL: {
    meaning: '`silent`, `fatal`, `error`, `warn`, `info`, `debug` or `trace`',
    fallback: '`info`',
  },
  TALLYSTICK_LOG_FORMAT: {
    meaning:
      '`json`, `pretty`, or `auto`: pretty in a terminal, JSON elsewhere. `serve --log-format` takes precedence',
    fallback: '`auto`',
  },
  NO_COLOR: { meaning: 'Any value turns colours off', fallback: 'colours in a terminal' },
  NODE_ENV: {
    meaning: '`production` makes the rules [strict](#local-trial-or-strict) on loopback too',
    fallback: 'none',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'Base URL of a trace collector; `/v1/traces` is added. Private addresses are allowed',
    fallback: 'no traces',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { meaning: 'The whole URL instead', fallback: 'none' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    meaning: 'Headers as `name=value,name=value`, values percent-encoded. Never printed',
    fallback: 'none',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: { meaning: 'Only `http/json`', fallback: '`http/json`' },
  OTEL_EXPORTER_OTLP_COMPRESSION: { meaning: '`none` or `gzip`', fallback: '`none`' },
  OTEL_EXPORTER_OTLP_TIMEOUT: { meaning: 'Milliseconds for one request: 1 to 600000', fallback: '`10000`' },
  OTEL_BSP_SCHEDULE_DELAY: {
    meaning: 'Milliseconds that spans are collected: 1 to 60000',
    fallback: '`1000`',
  },
  OTEL_SERVICE_NAME: { meaning: 'Name of the service in all spans', fallback: '`tallystick`' },
  OTEL_RESOURCE_ATTRIBUTES: { meaning: 'Attributes of all spans: `name=value,name=value`', fallback: 'none' },
  OTEL_TRACES_SAMPLER: {
    meaning: '`always_on`, `always_off`, `traceidratio`, or one of them with the prefix `parentbased_`',
    fallback: '`parentbased_always_on`',
  },
  OTEL_TRACES_SAMPLER_ARG: { meaning: 'Share of traces that is kept, from 0 to 1', fallback: '`1`' },
  OTEL_TRACES_EXPORTER: { meaning: '`none` turns traces off', fallback: '`otlp`' },
  OTEL_LOGS_EXPORTER: { meaning: '`otlp` sends log lines to the collector too', fallback: '`none`' },
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: { meaning: 'The whole URL for log lines', fallback: 'none' },
  OTEL_BLRP_SCHEDULE_DELAY: {
    meaning: 'Milliseconds that log lines are collected: 1 to 60000',
    fallback: '`1000`',
  },
  OTEL_SDK_DISABLED: { meaning: '`true` turns traces and the export of logs off', fallback: '`false`' },
}
