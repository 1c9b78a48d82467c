import { readFileSync } from 'node:fs'
import type { Config } from '../../config/index.js'
import type { Outbound } from '../../outbound/index.js'
import {
  createHttpProvider,
  createMockProvider,
  type Provider,
  readCatalogue,
} from '../../providers/index.js'
import type { ProviderFault } from './live-providers.js'

type ModelConfig = Pick<Config, 'providers' | 'models' | 'pricesFile'>

/** The providers, models and prices of the configuration, as calls use them. */
export interface ConfiguredModels extends Pick<Config, 'providers' | 'models'> {
  /** Providers by name. */
  live: ReadonlyMap<string, Provider>
  catalogue: ReturnType<typeof readCatalogue>
}

interface Options {
  config: ModelConfig & Pick<Config, 'machine'>
  isTrial: boolean
  outbound: Pick<Outbound, 'createAgent'>
  onFault(fault: ProviderFault): void
  warn(message: string): void
}

/** Opens the models of the configuration, and replaces them when it is read again. */
export function createConfiguredModels({ config, isTrial, outbound, onFault, warn }: Options) {
  const { machine } = config
  const mockProviders: readonly Provider[] = isTrial ? [createMockProvider()] : []
  type Settings = Config['providers'][number]

  function openProvider(
    settings: Settings,
    before: Provider | null,
    unchanged: ReadonlySet<string>,
  ): Provider {
    return createHttpProvider(settings, {
      machine,
      createAgent: (agent) => outbound.createAgent({ ...agent, isVetted: false }),
      // A credential with another value begins anew, although its id is the same.
      ...(before && { known: before.credentials().filter(({ id }) => unchanged.has(id)) }),
      onCredentialFault: (fault) =>
        onFault({ ...fault, tenantId: null, providerId: settings.id, providerName: settings.name }),
    })
  }

  function open(next: ModelConfig, before: State | null): State {
    const live = new Map<string, Provider>()
    for (const settings of next.providers) {
      const known = before?.providers.find(({ name }) => name === settings.name)
      const running = before?.live.get(settings.name) ?? null
      const isSame = known !== undefined && JSON.stringify(known) === JSON.stringify(settings)
      const values = new Map(known?.credentials.map(({ id, value }) => [id, value]))
      const unchanged = settings.credentials.filter(({ id, value }) => values.get(id) === value)
      const provider = isSame ? running : null
      live.set(
        settings.name,
        provider ?? openProvider(settings, running, new Set(unchanged.map(({ id }) => id))),
      )
    }
    const catalogue = readCatalogue({
      pricesFile: next.pricesFile,
      withMock: isTrial,
      pricesOf: [...live.values(), ...mockProviders].map(({ pricesOf }) => pricesOf),
      warn,
    })
    const { providers, models, pricesFile } = next
    return {
      providers,
      models,
      live,
      catalogue,
      prices: pricesFile && readFileSync(pricesFile, 'utf8'),
      pricesFile,
    }
  }

  let current = open(config, null)
  return {
    mockProviders,
    current: (): ConfiguredModels => current,
    /** Returns a function that replaces the models. Providers that did not change stay. Null when nothing changes. */
    prepare(next: ModelConfig): (() => void) | null {
      const opened = open(next, current)
      if (describe(opened) === describe(current)) return null
      return () => {
        const kept = new Set(opened.live.values())
        for (const provider of current.live.values()) if (!kept.has(provider)) provider.transport.retire()
        current = opened
      }
    },
    async close(): Promise<void> {
      await Promise.all(
        [...current.live.values(), ...mockProviders].map(({ transport }) => transport.close()),
      )
    },
  }
}

interface State extends ConfiguredModels {
  pricesFile: string | null
  /** The text of the price file. */
  prices: string | null
}

const describe = ({ providers, models, pricesFile, prices }: State): string =>
  JSON.stringify([providers, models, pricesFile, prices])
