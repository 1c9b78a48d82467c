import { stringify } from 'yaml'
import { cloudVariables } from '../../../packages/service/src/config/settings/secrets/cloud-variables.js'
import { variables, wholeNumbers } from '../../../packages/service/src/config/settings/variable-table.js'
import { vendorRules } from '../../../packages/service/src/providers/index.js'
import { shuffled } from '../run/seed.js'

/** A setting with a bad value, and what the report says of it. */
export interface SettingFault {
  setting: string
  /** The variables that have the bad value. No other fault of the same choice has them. */
  env: Record<string, string>
  /** Variables without which the setting is not read, unless another fault sets them. */
  with?: Record<string, string>
  /** A part of `tallystick.yaml`. */
  file?: Record<string, unknown>
  says: string
  /** Further faults that follow from it. */
  follows?: string[]
}

type Row = [setting: string, value: string, says: string, more?: Partial<SettingFault>]

const url = 'must be an http or https URL'
const traced = { with: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' } }
const logged = { with: { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://127.0.0.1:4318/v1/logs' } }
const readsVault = {
  with: { GROQ_API_KEY: 'vault:secret/groq#key', VAULT_TOKEN: 'token', VAULT_ADDR: 'http://127.0.0.1:1' },
  follows: ['GROQ_API_KEY: vault:secret/groq#key', 'VAULT_ADDR: needs VAULT_TOKEN'],
}
const signsIn = { oidc: { issuer: 'https://login.example.com', clientId: 'tallystick', clientSecret: 's' } }

const rows: Row[] = [
  // An address for documentation, which no machine has.
  ['TALLYSTICK_HOST', '192.0.2.1', 'this machine does not have the address 192.0.2.1; choose one'],
  ['TALLYSTICK_PUBLIC_URL', 'ftp://example.com', 'must be an http or https URL with nothing after its path'],
  ['TALLYSTICK_TLS_KEY', 'nowhere.pem', 'set both of them, or none'],
  ['TALLYSTICK_TLS_MIN_VERSION', 'TLSv1', 'must be TLSv1.2 or TLSv1.3'],
  ['TALLYSTICK_TRUSTED_PROXIES', 'proxy', 'must be addresses or ranges such as'],
  ['HTTPS_PROXY', 'socks5://proxy', 'must be the URL of an HTTP proxy, such as'],
  ['HTTP_PROXY', 'socks5://proxy', 'must be the URL of an HTTP proxy, such as'],
  ['NO_PROXY', 'http://example.com/', 'must be hosts, domains, addresses, ranges or *'],
  ['TALLYSTICK_PROXY_RESOLVES_NAMES', 'yes', 'must be true or false'],
  ['NODE_EXTRA_CA_CERTS', '/nowhere.pem', 'must be the path of a readable file with certificates'],
  ['TALLYSTICK_DATA_DIR', '/dev/null/data', '/dev/null is not a folder; choose another path'],
  ['DATABASE_URL', 'mysql://db/x', 'must be a URL that starts with postgres://'],
  ['TALLYSTICK_DATABASE_DIRECT_URL', 'mysql://db/x', 'must be a URL that starts with postgres://'],
  ['TALLYSTICK_DATABASE_READ_URL', 'mysql://db/x', 'must be a URL that starts with postgres://'],
  ['REDIS_URL', 'http://redis', 'must be a URL that starts with redis://'],
  ['TALLYSTICK_BOOTSTRAP_KEY', 'short', 'must be tallystick_sk_ followed by 20 to 200'],
  ['TALLYSTICK_CONFIG', 'nowhere.yaml', 'there is no file '],
  ['TALLYSTICK_SIGNING_KEY', 'nowhere.pem', 'must be an Ed25519 private key in PEM form'],
  ['TALLYSTICK_MASTER_KEY', 'nowhere', 'must be 32 bytes as base64 or hex'],
  ['TALLYSTICK_OIDC_CLIENT_SECRET', 'env:NOT_SET', 'env:NOT_SET is not set', { file: signsIn }],
  ['TALLYSTICK_PACKS_DIR', 'nowhere', 'is not a folder that can be read'],
  ['TALLYSTICK_ANCHOR_FILE', 'a.jsonl', 'set one of them, not both'],
  ['TALLYSTICK_ANCHOR_TSA_URL', 'ftp://tsa', url],
  ['TALLYSTICK_ALLOW_PRIVATE_TARGETS', 'private', 'must be ranges such as 10.20.0.0/16'],
  ['TALLYSTICK_SINK_BUCKETS', 'acme-ai-calls', 'must be tenant/bucket pairs'],
  ['TALLYSTICK_WORKERS', 'many', 'must be a whole number from 1 to 999, or auto'],
  ['TALLYSTICK_LOG_LEVEL', 'loud', 'must be one of silent, fatal'],
  ['TALLYSTICK_LOG_FORMAT', 'xml', 'must be one of auto, json, pretty'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://collector', url],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'ftp://collector', url],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'secret', 'must be name=value pairs', traced],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/json', traced],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd', 'must be gzip or none', traced],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon', 'must be a whole number from 1 to 600000', traced],
  ['OTEL_BSP_SCHEDULE_DELAY', 'soon', 'must be a whole number from 1 to 60000', traced],
  ['OTEL_RESOURCE_ATTRIBUTES', 'secret', 'must be name=value pairs', traced],
  ['OTEL_TRACES_SAMPLER', 'jaeger', 'must be one of always_on', traced],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1', traced],
  ['OTEL_TRACES_EXPORTER', 'zipkin', 'must be otlp or none', traced],
  ['OTEL_LOGS_EXPORTER', 'console', 'must be otlp or none', traced],
  ['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', 'ftp://collector', url],
  ['OTEL_BLRP_SCHEDULE_DELAY', 'soon', 'must be a whole number from 1 to 60000', logged],
  ['AWS_ENDPOINT_URL_SECRETS_MANAGER', 'nowhere', url],
  ['AWS_ENDPOINT_URL_STS', 'nowhere', url],
  ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'nowhere', url],
  ['AWS_EC2_METADATA_SERVICE_ENDPOINT', 'nowhere', url],
  ['AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE', 'IPv5', 'must be IPv4 or IPv6'],
  ['AZURE_AUTHORITY_HOST', 'nowhere', url],
  ['AZURE_POD_IDENTITY_AUTHORITY_HOST', 'nowhere', url],
  ['IDENTITY_ENDPOINT', 'nowhere', url],
  ['VAULT_ADDR', 'nowhere', url, readsVault],
  ['VAULT_TOKEN', 'env:NOT_SET', 'env:NOT_SET is not set', readsVault],
]

/** Each of them takes any text, so that only a file or a reference that leads nowhere is a fault. */
const anyText = [
  ...['TALLYSTICK_BACKUP_PASSPHRASE', 'NO_COLOR', 'NODE_ENV', 'OTEL_SERVICE_NAME', 'OTEL_SDK_DISABLED'],
  ...['VAULT_NAMESPACE', 'VAULT_ROLE_ID', 'VAULT_SECRET_ID', 'VAULT_KUBERNETES_ROLE', 'VAULT_AUTH_PATH'],
  'VAULT_KUBERNETES_TOKEN_FILE',
  ...Object.keys(cloudVariables).filter((name) => !rows.some(([setting]) => setting === name)),
]

/** Faults of the file alone. */
export const inFile: SettingFault[] = [
  ['providers.one.type', { providers: { one: { type: 'nothing' } } }, 'must be one of'],
  ['providers.two.colour', { providers: { two: { type: 'openai', colour: 'red' } } }, 'unknown field'],
  ['models.three.provider', { models: { three: { provider: 'nobody' } } }, 'there is no such provider'],
  [
    'models.four.price',
    { models: { four: { provider: 'nobody', price: 'cheap' } } },
    'must be "free", or an',
  ],
  ['mcpServers.0.name', { mcpServers: [{ name: 'oauth', url: 'http://127.0.0.1:1/' }] }, 'oauth is reserved'],
  ['callsRetentionDays', { callsRetentionDays: 0 }, 'must be >= 1'],
  ['pricesFile', { pricesFile: 'nowhere.json' }, 'cannot be read'],
  ['packsDir', { packsDir: 'nowhere' }, 'is not a folder that can be read'],
  ['anchor.type', { anchor: { type: 'paper' } }, 'must be one of none, file, rfc3161'],
  ['oidc.issuer', { oidc: { ...signsIn.oidc, issuer: 'ftp://login' } }, 'must be an https URL'],
  ['colour', { colour: 'red' }, 'unknown field'],
].map(([setting, file, says]) => ({ setting, file, says, env: {} }) as SettingFault)

const prefixes = [...vendorRules.types.values()].flatMap(({ environmentPrefix }) => environmentPrefix ?? [])

/** Settings that have a bad value, apart from files and references that lead nowhere. */
const withBadValue: SettingFault[] = [
  ...rows.map(([setting, value, says, more]) => ({ setting, env: { [setting]: value }, says, ...more })),
  {
    setting: 'TALLYSTICK_TLS_CERTIFICATE',
    env: { TALLYSTICK_TLS_CERTIFICATE: 'nowhere.pem', TALLYSTICK_TLS_KEY: 'nowhere.pem' },
    says: 'must be the paths of a certificate and its key in PEM format (ENOENT)',
  },
  ...Object.keys(wholeNumbers).map((setting) => ({
    setting,
    env: { [setting]: 'many' },
    says: 'must be a whole number from ',
  })),
  ...prefixes.flatMap((prefix) => [
    { setting: `${prefix}_BASE_URL`, env: { [`${prefix}_BASE_URL`]: 'ftp://x' }, says: url },
    { setting: `${prefix}_API_KEY`, env: { [`${prefix}_API_KEY`]: 'env:NOT_SET' }, says: 'is not set' },
  ]),
]

/** All settings that the table is about, with those that take any text. */
export const settingsInTable = [...withBadValue.map(({ setting }) => setting), ...anyText]

const leadingNowhere: SettingFault[] = Object.keys({ ...variables, ...wholeNumbers })
  // Read only where something else is configured.
  .filter((setting) => !/^OTEL_|OIDC/.test(setting))
  .flatMap((setting) => [
    {
      setting,
      env: { [`${setting}_FILE`]: '/nowhere' },
      says: 'must be the path of a readable file (ENOENT)',
    },
    { setting, env: { [setting]: 'env:NOT_SET' }, says: 'env:NOT_SET is not set' },
  ])

export const settingFaults: SettingFault[] = [...withBadValue, ...inFile, ...leadingNowhere]

/** Whether two faults can be had at once, each with its own words. */
function areCompatible(one: SettingFault, other: SettingFault): boolean {
  const variablesOf = ({ env }: SettingFault) => Object.keys(env).map((name) => name.replace(/_FILE$/, ''))
  const isApart = (a: SettingFault, b: SettingFault) =>
    !(a.setting === 'TALLYSTICK_CONFIG' && b.file !== undefined) &&
    !(a.setting === 'packsDir' && b.setting === 'TALLYSTICK_PACKS_DIR') &&
    !(/ANCHOR/.test(a.setting) && /ANCHOR/.test(b.setting)) &&
    !(/OTLP.*ENDPOINT/.test(a.setting) && /OTLP.*ENDPOINT/.test(b.setting)) &&
    // These lead to no store while their own settings have faults.
    !(/^VAULT/.test(a.setting) && /^(VAULT|GROQ)/.test(b.setting))
  return (
    one.setting !== other.setting &&
    !variablesOf(one).some((name) => variablesOf(other).includes(name)) &&
    !Object.keys(one.file ?? {}).some((name) => name === 'oidc' && other.file?.[name] !== undefined) &&
    isApart(one, other) &&
    isApart(other, one)
  )
}

/** Chooses faults that can be had at once. */
export function chooseFaults(count: number, from: readonly SettingFault[] = settingFaults): SettingFault[] {
  const chosen: SettingFault[] = []
  for (const each of shuffled(from))
    if (chosen.length < count && chosen.every((other) => areCompatible(each, other))) chosen.push(each)
  return chosen
}

/** The environment and the file that have these faults. `valid` are settings that no fault replaces. */
export function combine(
  faults: readonly SettingFault[],
  valid: Record<string, string> = {},
): { env: Record<string, string>; yaml: string } {
  const env = Object.assign(
    {},
    valid,
    ...faults.map((fault) => fault.with ?? {}),
    ...faults.map((fault) => fault.env),
  )
  for (const name of Object.keys(valid)) if (`${name}_FILE` in env) delete env[name]
  // A file without which the anchor has no fault.
  if (env.TALLYSTICK_ANCHOR_FILE === 'a.jsonl') env.TALLYSTICK_ANCHOR_TSA_URL = 'http://tsa.example.com'
  const file: Record<string, unknown> = {}
  for (const part of faults.flatMap((fault) => Object.entries(fault.file ?? {})))
    file[part[0]] = merge(file[part[0]], part[1])
  return { env, yaml: stringify(file) }
}

const merge = (one: unknown, other: unknown): unknown =>
  typeof one === 'object' && typeof other === 'object' && !Array.isArray(one) ? { ...one, ...other } : other

/** Returns whether a line of the report is about this fault. */
export const isAbout = (fault: SettingFault, line: string): boolean =>
  line.includes(fault.setting) && line.includes(fault.says)
