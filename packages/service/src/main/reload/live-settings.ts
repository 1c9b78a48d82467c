import { type Config, settingNames } from '../../config/index.js'

/** The settings that a running service applies. Each of them belongs to a part that was added to the live configuration. */
const liveSettings: ReadonlySet<keyof Config> = new Set<keyof Config>([
  'tlsFilesHash',
  'providers',
  'models',
  'pricesFile',
  'mcpServers',
  'oidc',
  'allowedRanges',
  'logLevel',
  'drainMs',
  'shutdownGraceMs',
  'streamHoldBackChars',
  'webhooks',
  'callsRetentionDays',
  'growth',
])

export interface ReloadPlan {
  /** The configuration after the change: the new values of live settings, and the old values of all others. */
  next: Config
  /** The names of the settings that change. */
  changed: string[]
  /** The names of the settings that change with a restart only. */
  needRestart: string[]
}

/** Compares a configuration that was read again with the one in use. */
export function planReload(current: Config, read: Config): ReloadPlan {
  const names = Object.keys(read) as (keyof Config)[]
  const differing = names.filter((name) => JSON.stringify(current[name]) !== JSON.stringify(read[name]))
  const kept = Object.fromEntries(
    names.flatMap((name) => (liveSettings.has(name) ? [] : [[name, current[name]]])),
  )
  const nameAll = (isLive: boolean) =>
    differing.filter((name) => liveSettings.has(name) === isLive).map((name) => settingNames[name] ?? name)
  return { next: Object.freeze({ ...read, ...kept }), changed: nameAll(true), needRestart: nameAll(false) }
}
