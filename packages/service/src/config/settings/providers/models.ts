import type { ModelConfig } from '../../file/schema.js'

/** Checks that the provider of each model exists. */
export function checkModels(
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
