import type { ReceiptDraft } from './entry.js'

/** Models of the mock provider have no short name: `mock/echo` is the only spelling. */
const providerWithoutShortNames = 'mock'

/**
 * The one spelling of a model, for everything that groups or filters by it: the provider's own name of it, without the provider.
 * `gpt-4o`, `openai/gpt-4o` and an alias of it are one model; `azure/gpt-4o` is the same model at another provider.
 *
 * It follows from the receipt alone. `target` is in a receipt where `model` does not tell it: see `targetFact`.
 */
export function canonicalModel({
  provider,
  model,
  target,
}: Pick<ReceiptDraft, 'provider' | 'model' | 'target'>): string | null {
  const own = target ?? withoutPrefix(model, provider)
  if (own === undefined) return null
  return provider === providerWithoutShortNames ? `${provider}/${own}` : own
}

/** What a receipt must say of a target, beside the model that was asked for: its own name where an alias was used. */
export function targetField(asked: { provider: string; model: string }, target: string): { target?: string } {
  return withoutPrefix(asked.model, asked.provider) === target ? {} : { target }
}

const withoutPrefix = (model: string | undefined, provider: string | undefined): string | undefined =>
  provider !== undefined && model?.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model
