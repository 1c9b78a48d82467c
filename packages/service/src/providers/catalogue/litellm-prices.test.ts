import { describe, expect, it } from 'vitest'
import { costNanos } from '../../../../record/src/pricing/index.js'
import { loadCatalogue, overrideCatalogue } from './catalogue.js'
import { readLiteLlmPrices } from './litellm-prices.js'

const chat = {
  litellm_provider: 'openai',
  mode: 'chat',
  input_cost_per_token: 1.5e-7,
  output_cost_per_token: 6e-7,
  max_input_tokens: 128000,
  max_output_tokens: 16384,
  max_tokens: 16384,
}
const catalogue = loadCatalogue()
const read = (entries: Record<string, unknown>) => readLiteLlmPrices(JSON.stringify(entries), catalogue)

/** The price of one entry of a model that the catalogue does not have. */
function priceOf(more: object) {
  const { models, refused } = read({ 'house-model': { ...chat, ...more } })
  expect([...refused]).toEqual([])
  return models[0]?.price
}

/** Why one entry is refused. */
function refusalOf(more: object): string | undefined {
  const { models, refused } = read({ 'house-model': { ...chat, ...more } })
  expect(models).toEqual([])
  return refused.get('openai/house-model')
}

describe('readLiteLlmPrices', () => {
  it('reads prices, limits and provider, and ignores what is not about money', () => {
    const entry = {
      ...chat,
      cache_read_input_token_cost: 7.5e-8,
      supports_vision: true,
      source: 'https://example.com',
    }
    const { models, refused, skipped } = read({ 'house-model': entry })
    expect({ refused: [...refused], skipped }).toEqual({ refused: [], skipped: 0 })
    expect(models).toMatchObject([
      {
        model: 'house-model',
        provider: 'openai',
        mode: 'chat',
        price: { rates: { input: 150_000, output: 600_000, cached: 75_000 } },
        properties: { tokenizer: 'o200k', contextWindow: 128_000, maxOutputTokens: 16_384 },
        outputField: 'max_completion_tokens',
      },
    ])
  })

  it('knows of a model of the catalogue what the file does not say', () => {
    const [model] = read({ 'gpt-4o-mini': chat }).models
    const listed = catalogue.models.get('gpt-4o-mini')
    expect(model?.properties).toEqual(listed?.properties)
    expect(model?.hostedToolTokens).toEqual(listed?.hostedToolTokens)
    expect(model?.price.fees).toEqual(listed?.price.fees)
    expect(model?.price.tiers).toEqual(listed?.price.tiers)
  })

  it('takes the provider off the front of the name and gives it the name that we use', () => {
    const { models } = read({
      'groq/openai/gpt-oss-120b': { ...chat, litellm_provider: 'groq' },
      'gemini/gemini-2.5-pro': { ...chat, litellm_provider: 'gemini' },
      'command-r': { ...chat, litellm_provider: 'cohere_chat' },
    })
    expect(models.map(({ provider, model }) => [provider, model])).toEqual([
      ['groq', 'openai/gpt-oss-120b'],
      ['google', 'gemini-2.5-pro'],
      ['cohere', 'command-r'],
    ])
  })

  it('takes the last entry of a model that is listed by two names', () => {
    const twice = {
      'deepseek/deepseek-flash': { ...chat, litellm_provider: 'deepseek' },
      'deepseek-flash': { ...chat, litellm_provider: 'deepseek', input_cost_per_token: 'dear' },
    }
    expect(read(twice).models).toEqual([])
    expect(read(Object.fromEntries(Object.entries(twice).reverse())).models).toHaveLength(1)
  })

  it('skips and counts what nobody could call', () => {
    const result = read({
      sample_spec: { mode: 'one of: chat, embedding, ...', input_cost_per_token: 0 },
      'dall-e-3': { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_pixel: 1e-8 },
    })
    expect(result).toEqual({ models: [], skipped: 1, refused: new Map() })
  })

  it('needs no output price for an embedding, and takes its limit for that of the input', () => {
    const embedding = {
      litellm_provider: 'openai',
      mode: 'embedding',
      input_cost_per_token: 2e-8,
      max_tokens: 8191,
    }
    const [model] = read({ 'house-embedding': embedding }).models
    expect(model).toMatchObject({
      mode: 'embedding',
      properties: { contextWindow: 8191, maxOutputTokens: null },
    })
    expect(model?.price.rates.input).toBe(20_000)
  })

  it('does not take a limit of the output for the context window', () => {
    const { max_input_tokens: _, ...entry } = chat
    expect(read({ 'house-model': entry }).models[0]?.properties.contextWindow).toBeNull()
  })

  it('refuses a file that is not an object', () => {
    expect(() => readLiteLlmPrices('[]', catalogue)).toThrow('expected an object keyed by model name')
  })
})

describe('a price in LiteLLM’s format', () => {
  it('reads a cache price of zero as unknown', () => {
    expect(priceOf({ cache_read_input_token_cost: 0, cache_creation_input_token_cost: 0 })?.rates).toEqual({
      input: 150_000,
      output: 600_000,
      cached: 150_000,
    })
  })

  it('has what is written to the cache, for minutes and for an hour', () => {
    const price = priceOf({
      cache_creation_input_token_cost: 2e-7,
      cache_creation_input_token_cost_above_1hr: 4e-7,
      input_cost_per_token_cache_hit: 1e-8,
    })
    expect(price?.rates).toMatchObject({ cached: 10_000, written: 200_000, writtenHour: 400_000 })
  })

  it('has audio, in and out', () => {
    const price = priceOf({ input_cost_per_audio_token: 4e-5, output_cost_per_audio_token: 8e-5 })
    expect(price?.rates).toMatchObject({ audioIn: 40_000_000, audioOut: 80_000_000 })
  })

  it('has every higher price of longer input, in order', () => {
    const price = priceOf({
      input_cost_per_token_above_272k_tokens: 1.2e-6,
      output_cost_per_token_above_272k_tokens: 2e-6,
      input_cost_per_token_above_128k_tokens: 3e-7,
      cache_read_input_token_cost_above_128k_tokens: 1e-7,
      output_cost_per_token_above_200k_tokens: 9e-7,
    })
    expect(price?.longer).toEqual([
      { aboveInputTokens: 128_000, rates: { input: 300_000, output: 600_000, cached: 100_000 } },
      { aboveInputTokens: 200_000, rates: { input: 300_000, output: 900_000, cached: 100_000 } },
      { aboveInputTokens: 272_000, rates: { input: 1_200_000, output: 2_000_000, cached: 1_200_000 } },
    ])
  })

  it('has the tiers priority, flex and batch, longer input included', () => {
    const price = priceOf({
      cache_read_input_token_cost: 7.5e-8,
      input_cost_per_token_priority: 2.5e-7,
      output_cost_per_token_priority: 1e-6,
      cache_read_input_token_cost_priority: 1.25e-7,
      input_cost_per_token_above_272k_tokens: 3e-7,
      input_cost_per_token_flex: 7e-8,
      input_cost_per_token_above_272k_tokens_flex: 1.4e-7,
      input_cost_per_token_batches: 7.5e-8,
      output_cost_per_token_batches: 3e-7,
    })
    expect(price?.tiers).toEqual({
      priority: {
        rates: { input: 250_000, output: 1_000_000, cached: 125_000 },
        // Nothing is said of it: at least the standard price.
        longer: [
          { aboveInputTokens: 272_000, rates: { input: 300_000, output: 1_000_000, cached: 300_000 } },
        ],
      },
      flex: {
        rates: { input: 70_000, output: 600_000, cached: 70_000 },
        longer: [{ aboveInputTokens: 272_000, rates: { input: 140_000, output: 600_000, cached: 140_000 } }],
      },
      batch: {
        rates: { input: 75_000, output: 300_000, cached: 75_000 },
        longer: [{ aboveInputTokens: 272_000, rates: { input: 300_000, output: 300_000, cached: 300_000 } }],
      },
    })
  })

  it('has factors of the provider and of a region', () => {
    const price = priceOf({
      provider_specific_entry: { us: 1.1, fast: 6 },
      regional_processing_uplift_multiplier_eu: 1.1,
    })
    expect(price?.tiers).toEqual({
      us: { permille: 1_100 },
      fast: { permille: 6_000 },
      eu: { permille: 1_100 },
    })
  })

  it('has the fees of hosted tools, of searches the most expensive', () => {
    const price = priceOf({
      search_context_cost_per_query: {
        search_context_size_low: 0.03,
        search_context_size_high: 0.05,
        search_context_size_medium: 0.035,
      },
      file_search_cost_per_1k_calls: 2.5,
      file_search_cost_per_gb_per_day: 0.1,
      code_interpreter_cost_per_session: 0.03,
    })
    expect(price?.fees).toEqual({
      web_search: 50_000_000_000,
      web_search_preview: 50_000_000_000,
      file_search: 2_500_000_000,
      code_interpreter: 30_000_000_000,
    })
  })

  it('takes a price of reasoning or of images in tokens that is not above the one of text', () => {
    const price = priceOf({ output_cost_per_reasoning_token: 6e-7, input_cost_per_image_token: 1.5e-7 })
    expect(price?.rates).toEqual({ input: 150_000, output: 600_000, cached: 150_000 })
  })
})

describe('an entry that cannot be used', () => {
  it.each([
    [
      'a price that is too fine',
      { input_cost_per_token: 1.5e-13 },
      'input_cost_per_token 1.5e-13 has more than 12',
    ],
    ['a negative price', { output_cost_per_token: -1 }, 'output_cost_per_token -1 is not an amount'],
    ['a price in quotes', { input_cost_per_token: '1.5e-7' }, 'input_cost_per_token is not a number'],
    ['no price of input', { input_cost_per_token: 0 }, 'input_cost_per_token is missing or zero'],
    ['no price of output', { output_cost_per_token: null }, 'output_cost_per_token is missing or zero'],
    [
      'audio by the second',
      { input_cost_per_audio_per_second: 1e-4 },
      'input_cost_per_audio_per_second cannot be',
    ],
    ['images each', { input_cost_per_image: 1e-3 }, 'input_cost_per_image cannot be expressed'],
    [
      'image tokens of their own',
      { output_cost_per_image_token: 3e-5 },
      'output_cost_per_image_token is above',
    ],
    [
      'more expensive reasoning',
      { output_cost_per_reasoning_token: 4e-6 },
      'output_cost_per_reasoning_token is above',
    ],
    [
      'more expensive cached audio',
      { cache_read_input_audio_token_cost: 1e-6 },
      'cache_read_input_audio_token_cost is above',
    ],
    [
      'a tier that we do not know',
      { input_cost_per_token_turbo: 1e-6 },
      'input_cost_per_token_turbo cannot be',
    ],
    ['prices by range', { tiered_pricing: [{ range: [0, 32000] }] }, 'tiered_pricing cannot be expressed'],
    [
      'a fee that we do not know',
      { google_maps_cost_per_query: 0.02 },
      'google_maps_cost_per_query cannot be',
    ],
    [
      'a fine factor',
      { provider_specific_entry: { us: 1.00001 } },
      'provider_specific_entry.us is not a factor',
    ],
    ['a limit that is none', { max_input_tokens: 'many' }, 'max_input_tokens is not a number of tokens'],
  ])('is refused in words: %s', (_, more, reason) => {
    expect(refusalOf(more)).toContain(reason)
  })

  it('is told with all of its faults', () => {
    expect(refusalOf({ input_cost_per_token: 0, input_cost_per_image: 1, output_cost_per_second: 1 })).toBe(
      'input_cost_per_image cannot be expressed; output_cost_per_second cannot be expressed; input_cost_per_token is missing or zero',
    )
  })

  it('never leaves the old price in force', () => {
    const failed = {
      'gpt-4o': { ...chat, input_cost_per_second: 1 },
      'gpt-4o-mini': { litellm_provider: 'openai', mode: 'image_generation', output_cost_per_image: 1 },
      'gpt-4.1': 7,
      'gpt-4.1-mini': { mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 },
    }
    const overrides = read(failed)
    expect(overrides.models).toEqual([])
    expect(Object.fromEntries(overrides.refused)).toEqual({
      'openai/gpt-4o': 'input_cost_per_second cannot be expressed',
      'openai/gpt-4o-mini': expect.stringContaining('mode image_generation is not served'),
      'openai/gpt-4.1': expect.stringContaining('the entry is not an object'),
      'openai/gpt-4.1-mini': 'litellm_provider is missing',
    })
    const { models } = overrideCatalogue(catalogue, overrides)
    expect(Object.keys(failed).filter((name) => models.has(name))).toEqual([])
  })

  it('does not keep the others from being read', () => {
    const { models } = read({ bad: { ...chat, input_cost_per_second: 1 }, good: chat })
    expect(models.map(({ model }) => model)).toEqual(['good'])
  })
})

describe('a price that was read', () => {
  it('costs what the file says', () => {
    const price = priceOf({ input_cost_per_token_priority: 2.5e-7, output_cost_per_token_priority: 1e-6 })
    if (price === undefined) throw new Error('no price')
    expect(costNanos(price, { input: 100, output: 10 }, null)).toBe(100 * 150 + 10 * 600)
    expect(costNanos(price, { input: 100, output: 10 }, 'priority')).toBe(100 * 250 + 10 * 1_000)
  })
})
