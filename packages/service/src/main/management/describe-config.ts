import { type Config, readVersion } from '../../config/index.js'

/** Describes the configuration to anyone with a key. It contains no secrets. */
export const describeConfig = (config: Config) => ({
  version: readVersion(),
  mode: config.strictness.strict ? ('strict' as const) : ('trial' as const),
  modeReason: config.strictness.strict ? config.strictness.because : null,
  databaseType: config.databaseUrl === null ? ('embedded' as const) : ('external' as const),
  features: {
    anchors: config.anchor.type,
    traces: config.traces !== null,
    ownPrices: config.pricesFile !== null,
    ownPacks: config.packsDir !== null,
    providers: [...config.providers.map(({ name }) => name), ...(config.strictness.strict ? [] : ['mock'])],
  },
  retention: {
    callsDays: config.callsRetentionDays,
    webhookDeliveriesDays: config.webhooks.retentionDays,
  },
})
