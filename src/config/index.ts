import { isAbsolute, resolve } from 'node:path'
import { readConfigFile } from './file.js'
import { type ProviderConfig, providersFromEnvironment } from './providers.js'
import type { ConfigFile, ModelConfig } from './schema.js'

export type { ProviderConfig, ProviderType, Timeouts } from './providers.js'
export type { ModelConfig, ModelPrice } from './schema.js'

export interface Config {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | null
  redisUrl: string | null
  bootstrapKey: string | null
  signingKey: string | null
  production: boolean
  logLevel: LogLevel
  shutdownGraceMs: number
  providers: ProviderConfig[]
  models: Record<string, ModelConfig>
  pricesFile: string | null
}

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
type LogLevel = (typeof logLevels)[number]

/** Thrown once, with every fault in words, so that an operator mends all of them in one go. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((f) => `  - ${f}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

export interface ConfigSource {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

/** The only reader of the environment. Collects every fault before it throws. */
export function loadConfig({ env, cwd }: ConfigSource): Readonly<Config> {
  const faults: string[] = []
  const read = (name: string): string | null => env[name]?.trim() || null

  const port = readInteger(read('TALLYSTICK_PORT'), 7070, 0, 65_535, 'TALLYSTICK_PORT', faults)
  const shutdownGraceMs = readInteger(
    read('TALLYSTICK_SHUTDOWN_GRACE_MS'), 30_000, 0, 3_600_000, 'TALLYSTICK_SHUTDOWN_GRACE_MS', faults)
  const file: ConfigFile = readConfigFile({ path: read('TALLYSTICK_CONFIG'), cwd, env }, faults)
  const production = read('NODE_ENV') === 'production'
  const providers = providersFromEnvironment(file.providers ?? {}, read, faults)
  if (!production && providers.some((provider) => provider.name === 'mock')) {
    faults.push('providers.mock: the name "mock" belongs to the built-in mock provider')
  }
  checkModels(file.models ?? {}, providers, production, faults)

  const logLevel = logLevels.find((level) => level === (read('TALLYSTICK_LOG_LEVEL') ?? 'info'))
  if (!logLevel) faults.push(`TALLYSTICK_LOG_LEVEL: must be one of ${logLevels.join(', ')}`)

  const config: Config = {
    host: read('TALLYSTICK_HOST') ?? '127.0.0.1',
    port,
    dataDir: resolve(cwd, read('TALLYSTICK_DATA_DIR') ?? './.tallystick'),
    databaseUrl: readUrl(read('DATABASE_URL'), ['postgres:', 'postgresql:'], 'DATABASE_URL', faults),
    redisUrl: readUrl(read('REDIS_URL'), ['redis:', 'rediss:'], 'REDIS_URL', faults),
    bootstrapKey: readBootstrapKey(read('TALLYSTICK_BOOTSTRAP_KEY'), faults),
    signingKey: resolveSigningKey(read('TALLYSTICK_SIGNING_KEY'), cwd),
    production,
    logLevel: logLevel ?? 'info',
    shutdownGraceMs,
    providers,
    models: file.models ?? {},
    pricesFile: file.pricesFile ? resolve(cwd, file.pricesFile) : null,
  }
  if (config.redisUrl) {
    faults.push('REDIS_URL: shared admission state is not available in this version; unset it and run one replica')
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

function readInteger(
  text: string | null, fallback: number, least: number, most: number, name: string, faults: string[],
): number {
  if (text === null) return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  faults.push(`${name}: must be a whole number from ${least} to ${most}, not "${text}"`)
  return fallback
}

function readUrl(text: string | null, protocols: string[], name: string, faults: string[]): string | null {
  if (text === null) return null
  // The value may hold a password: a fault names the variable, never what is in it.
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  faults.push(`${name}: must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
  return null
}

function readBootstrapKey(value: string | null, faults: string[]): string | null {
  if (value === null || /^tallystick_sk_[0-9A-Za-z]{20,200}$/.test(value)) return value
  faults.push('TALLYSTICK_BOOTSTRAP_KEY: must be tallystick_sk_ followed by 20 to 200 letters and digits')
  return null
}

function resolveSigningKey(value: string | null, cwd: string): string | null {
  if (value === null || value.includes('-----BEGIN')) return value
  return isAbsolute(value) ? value : resolve(cwd, value)
}

function checkModels(
  models: Record<string, ModelConfig>, providers: ProviderConfig[], production: boolean, faults: string[],
): void {
  const names = new Set(providers.map((provider) => provider.name))
  if (!production) names.add('mock')
  for (const [name, model] of Object.entries(models)) {
    if (!names.has(model.provider)) {
      faults.push(`models.${name}.provider: there is no provider "${model.provider}" (configured: ${[...names].join(', ') || 'none'})`)
    }
  }
}
