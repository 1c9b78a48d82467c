import type { ReceiptDraft } from './entry.js'

/** Models of the mock provider have no short name: `mock/echo` is the only spelling. */
const providerWithoutShortNames = 'mock'

/**
 * Returns the name by which a model is grouped and filtered: the provider's own name for it, without the name of the provider. `gpt-4o`,
 * `openai/gpt-4o` and an alias are one model, and `azure/gpt-4o` is the same model at another provider.
 *
 * It is derived from the receipt alone. A receipt has `target` when the name cannot be derived from `model`: see `targetField`.
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

/** Returns the `target` field of a receipt, which is absent when the requested model already names the target. */
export function targetField(
  requested: { provider: string; model: string },
  target: string,
): { target?: string } {
  return withoutPrefix(requested.model, requested.provider) === target ? {} : { target }
}

const withoutPrefix = (model: string | undefined, provider: string | undefined): string | undefined =>
  provider !== undefined && model?.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model
