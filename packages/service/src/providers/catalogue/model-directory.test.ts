import { describe, expect, it } from 'vitest'
import { createHttpProvider } from '../http-provider.js'
import type { Catalogue } from './catalogue.js'
import { loadCatalogue, overrideCatalogue } from './catalogue.js'
import { createModelDirectory, type ModelSetting } from './model-directory.js'

const timeouts = { connectMs: 1, firstByteMs: 1, idleMs: 1, hangUpGraceMs: 1, totalMs: 1 }
const provider = (name: string, type: string, pricesOf: string) =>
  createHttpProvider({
    id: name,
    name,
    type,
    pricesOf,
    baseUrl: 'http://127.0.0.1:9',
    credentials: [],
    headers: {},
    auth: 'own',
    references: 'issued',
    options: {},
    dialects: ['chat'],
    timeouts,
    limits: { maxStreamBytes: 2 ** 29, maxAnswerBytes: 2 ** 27 },
  })
const providers = [
  provider('openai', 'openai', 'openai'),
  provider('anthropic', 'anthropic', 'anthropic'),
  provider('local', 'openai', 'local'),
  provider('regional', 'openai', 'openai'),
]

function directory(settings: Record<string, ModelSetting>, catalogue: Catalogue = loadCatalogue()) {
  const models = createModelDirectory({ providers, catalogue, settings })
  return (name: string) => {
    const found = models.find(name)
    if ('missing' in found) throw new Error(found.missing)
    return found
  }
}

const price = { inputUsdPerMTok: 1, outputUsdPerMTok: 3 }

describe('what is known of a model', () => {
  it('comes from the catalogue, under each name and at each provider that has its prices', () => {
    const find = directory({ fast: { provider: 'openai', model: 'gpt-4o-mini' } })
    for (const name of ['gpt-4o-mini', 'openai/gpt-4o-mini', 'regional/gpt-4o-mini', 'fast']) {
      expect(find(name)).toMatchObject({
        model: 'gpt-4o-mini',
        properties: { tokenizer: 'o200k', contextWindow: 128_000, images: { kind: 'tiles', base: 2_833 } },
        maxOutputTokens: 16_384,
        outputField: 'max_completion_tokens',
        hostedToolTokens: { web_search: 8_000 },
      })
    }
  })

  it('is what the configuration says first', () => {
    const setting: ModelSetting = {
      provider: 'openai',
      model: 'gpt-4o-mini',
      contextWindow: 10,
      maxOutputTokens: 5,
      outputField: 'max_tokens',
      tokenizer: 'bytes',
      price: { ...price, tiers: { priority: { factor: 2 } }, feesUsd: { web_search: 0.5 } },
    }
    expect(directory({ mine: setting })('mine')).toMatchObject({
      properties: { tokenizer: 'bytes', contextWindow: 10, maxOutputTokens: 5, images: { kind: 'tiles' } },
      maxOutputTokens: 5,
      outputField: 'max_tokens',
      price: {
        rates: { input: 1_000_000, output: 3_000_000, cached: 1_000_000 },
        tiers: { priority: { permille: 2_000 } },
        fees: { web_search: 500_000_000_000 },
      },
    })
  })

  it('is, of a model that nobody knows, how those of its vendor count; else that no token is shorter than a byte', () => {
    const find = directory({
      'gpt-next': { provider: 'openai', price },
      'claude-next': { provider: 'anthropic', price },
      llama: { provider: 'local', price },
    })
    const known = (name: string) => {
      const { properties, outputField } = find(name)
      return [properties.tokenizer, properties.contextWindow, properties.maxOutputTokens, outputField]
    }
    expect(known('gpt-next')).toEqual(['o200k', null, null, 'max_completion_tokens'])
    expect(known('claude-next')).toEqual(['claude', null, null, 'max_tokens'])
    expect(known('llama')).toEqual(['bytes', null, null, 'max_tokens'])
  })

  it('has the tiers and fees of its vendor where the price in the configuration names none', () => {
    const find = directory({ 'gpt-4o': { provider: 'openai', price }, llama: { provider: 'local', price } })
    expect(find('gpt-4o').price).toMatchObject({
      rates: { input: 1_000_000, output: 3_000_000 },
      tiers: { priority: { permille: 1_700 } },
      fees: { web_search: 10_000_000_000 },
    })
    expect(Object.keys(find('llama').price)).toEqual(['rates'])
  })

  it('has a price of nothing where the configuration says that it is free', () => {
    expect(directory({ llama: { provider: 'local', price: 'free' } })('local/llama').price.rates).toEqual({
      input: 0,
      output: 0,
      cached: 0,
    })
  })
})

describe('a model whose price could not be used', () => {
  const refused = new Map([['openai/gpt-4o', 'input_cost_per_second cannot be expressed']])
  const catalogue = overrideCatalogue(loadCatalogue(), { models: [], refused })
  const reason = 'has a price that cannot be used: input_cost_per_second cannot be expressed'

  it('is not there under any of its names, and says why', () => {
    const find = directory({ smart: { provider: 'openai', model: 'gpt-4o' } }, catalogue)
    for (const name of ['gpt-4o', 'openai/gpt-4o', 'regional/gpt-4o', 'smart'])
      expect(() => find(name)).toThrow(`Model ${name} ${reason}`)
    expect(find('gpt-4o-mini').model).toBe('gpt-4o-mini')
  })

  it('is there at the price that the configuration gives it', () => {
    const find = directory({ 'gpt-4o': { provider: 'openai', price } }, catalogue)
    expect(find('gpt-4o').price.rates.input).toBe(1_000_000)
    expect(() => find('regional/gpt-4o')).toThrow(reason)
  })
})

describe('a model that is not there', () => {
  it('says what is missing', () => {
    const find = directory({ llama: { provider: 'local' } })
    expect(() => find('llama')).toThrow('Model llama has no price: set one in the configuration')
    expect(() => find('local/other')).toThrow('has no price at provider local')
    expect(() => find('local/gpt-4o')).toThrow(
      'If it bills the list prices of openai, set its pricesOf to openai',
    )
    expect(() => find('gemini-2.5-pro')).toThrow('its provider google is not configured')
    expect(() => find('unheard-of')).toThrow('is not known')
  })
})
