import type { Config } from './config/index.js'
import {
  createHttpProvider,
  createMockProvider,
  createModelDirectory,
  type ModelDirectories,
  readCatalogue,
} from './providers/index.js'

export interface ModelDirectoriesOptions {
  config: Pick<Config, 'providers' | 'models' | 'pricesFile' | 'strictness'>
  warn(message: string): void
}

/** Makes the providers, and says for each tenant which models it can call. */
export function createModelDirectories({
  config,
  warn,
}: ModelDirectoriesOptions): ModelDirectories & { close(): Promise<void> } {
  const isTrial = !config.strictness.strict
  const providers = config.providers.map((provider) => createHttpProvider(provider, { mayReadFiles: true }))
  if (isTrial) providers.push(createMockProvider())
  const ofInstance = createModelDirectory({
    providers,
    catalogue: readCatalogue({
      pricesFile: config.pricesFile,
      withMock: isTrial,
      pricesOf: providers.map(({ pricesOf }) => pricesOf),
      warn,
    }),
    settings: config.models,
  })

  return {
    for: async () => ofInstance,
    async close() {
      await Promise.all(providers.map(({ transport }) => transport.close()))
    },
  }
}
