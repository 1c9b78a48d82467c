import { describe, expect, it } from 'vitest'
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
const read = (entries: Record<string, unknown>) => readLiteLlmPrices(JSON.stringify(entries))

describe('readLiteLlmPrices', () => {
  it('reads prices, limits and provider, and ignores fields that it does not know', () => {
    const entry = {
      ...chat,
      cache_read_input_token_cost: 7.5e-8,
      supports_vision: true,
      source: 'https://example.com',
    }
    expect(read({ 'gpt-4o-mini': entry })).toEqual({
      models: [
        {
          model: 'gpt-4o-mini',
          provider: 'openai',
          mode: 'chat',
          price: { rates: { input: 150_000, output: 600_000, cached: 75_000 } },
          maxInputTokens: 128_000,
          maxOutputTokens: 16_384,
        },
      ],
      skipped: 0,
      faults: [],
    })
  })

  it('takes the provider off the front of the name and gives it the name that we use', () => {
    const { models } = read({
      'groq/openai/gpt-oss-120b': { ...chat, litellm_provider: 'groq' },
      'gemini/gemini-2.5-pro': { ...chat, litellm_provider: 'gemini' },
    })
    expect(models.map(({ provider, model }) => [provider, model])).toEqual([
      ['groq', 'openai/gpt-oss-120b'],
      ['google', 'gemini-2.5-pro'],
    ])
  })

  it('skips and counts what has no usable price per token, without calling it a fault', () => {
    const { output_cost_per_token: _, ...withoutOutput } = chat
    const result = read({
      sample_spec: { mode: 'one of: chat, embedding, ...', input_cost_per_token: 0 },
      'dall-e-3': { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_pixel: 1e-8 },
      experimental: { ...chat, input_cost_per_token: 0, output_cost_per_token: 0 },
      'half-priced': withoutOutput,
      'not-an-object': 7,
    })
    expect(result).toEqual({ models: [], skipped: 4, faults: [] })
  })

  it('needs no output price for an embedding', () => {
    const embedding = {
      litellm_provider: 'openai',
      mode: 'embedding',
      input_cost_per_token: 2e-8,
      max_tokens: 8191,
    }
    const [model] = read({ 'text-embedding-3-small': embedding }).models
    expect(model).toMatchObject({ mode: 'embedding', maxInputTokens: 8191, maxOutputTokens: null })
    expect(model?.price.rates.input).toBe(20_000)
  })

  it('names each entry that it has to refuse, and still reads the others', () => {
    const { max_input_tokens: _, max_tokens: __, ...withoutLimits } = chat
    const result = read({
      'too-fine': { ...chat, input_cost_per_token: 1.5e-13 },
      negative: { ...chat, output_cost_per_token: -1 },
      text: { ...chat, input_cost_per_token: '1.5e-7' },
      unlimited: withoutLimits,
      good: chat,
    })
    expect(result.models.map(({ model }) => model)).toEqual(['good'])
    expect(result.faults).toEqual([
      'too-fine: input price 1.5e-13 has more than 12 decimal places',
      expect.stringMatching(/^negative\/output_cost_per_token.*: /),
      expect.stringMatching(/^text\/input_cost_per_token.*: /),
      'unlimited: neither max_input_tokens nor max_tokens is given',
    ])
  })

  it('reads a cache price of zero as unknown', () => {
    const [model] = read({
      m: { ...chat, cache_read_input_token_cost: 0, cache_creation_input_token_cost: 0 },
    }).models
    expect(model?.price.rates).toEqual({ input: 150_000, output: 600_000, cached: 150_000 })
  })

  it('reads the dearer price of a long prompt', () => {
    const [model] = read({
      m: {
        ...chat,
        input_cost_per_token_above_200k_tokens: 3e-7,
        output_cost_per_token_above_200k_tokens: 9e-7,
        input_cost_per_token_above_272k_tokens_priority: 1,
      },
    }).models
    expect(model?.price.longer).toEqual([
      { aboveInputTokens: 200_000, rates: { input: 300_000, output: 900_000, cached: 300_000 } },
    ])
  })

  it('refuses several long-prompt prices instead of picking one', () => {
    const { faults } = read({
      m: {
        ...chat,
        input_cost_per_token_above_128k_tokens: 3e-7,
        input_cost_per_token_above_256k_tokens: 6e-7,
      },
    })
    expect(faults).toEqual(['m: more than one long-context price; only one is supported'])
  })

  it('refuses a file that is not an object', () => {
    expect(() => readLiteLlmPrices('[]')).toThrow('expected an object keyed by model name')
  })
})
