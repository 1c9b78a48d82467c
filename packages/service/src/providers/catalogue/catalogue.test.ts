import { describe, expect, it } from 'vitest'
import type { Rates } from '../../../../record/src/pricing/index.js'
import { type CatalogueModel, loadCatalogue, overrideCatalogue, parseCatalogue } from './catalogue.js'

const catalogue = loadCatalogue()
const models = [...catalogue.models.values()]
const generating = models.filter((model) => model.mode !== 'embedding')

function namesWhere(list: CatalogueModel[], isOdd: (model: CatalogueModel) => boolean): string[] {
  return list.filter(isOdd).map((model) => model.model)
}

/** Standard rates, the shorter input before the longer. */
function everyRates({ price: { rates, longer = [] } }: CatalogueModel): Rates[] {
  return [rates, ...longer.map((step) => step.rates)]
}

describe('the price catalogue', () => {
  it('prices the common models of eight providers', () => {
    expect(models.length).toBeGreaterThan(250)
    expect(new Set(models.map((model) => model.provider))).toEqual(
      new Set(['anthropic', 'cohere', 'deepseek', 'google', 'groq', 'mistral', 'openai', 'xai']),
    )
    expect(catalogue.models.get('claude-sonnet-4-5')).toEqual({
      model: 'claude-sonnet-4-5',
      provider: 'anthropic',
      mode: 'chat',
      price: {
        rates: {
          input: 3_000_000,
          output: 15_000_000,
          cached: 300_000,
          written: 3_750_000,
          writtenHour: 6_000_000,
        },
        tiers: { priority: { permille: 1_000 } },
        fees: {
          web_search: 10_000_000_000,
          web_fetch: 0,
          code_execution: 50_000_000_000,
          tool_search: 0,
          mcp: 0,
        },
      },
      properties: {
        tokenizer: 'claude',
        contextWindow: 200_000,
        maxOutputTokens: 64_000,
        images: { kind: 'patches', patchPixels: 28, permille: 1_000, maxPatches: 1_568, maxEdge: 1_568 },
        audioTokensPerSecond: null,
        toolPromptTokens: 400,
        reasons: false,
        vendorToolTokens: 4_000,
        usesPerCall: {},
      },
      outputField: 'max_tokens',
      hostedToolTokens: {},
    })
  })

  it('knows the newest models of the vendors', () => {
    const newest = ['claude-fable-5-2', 'claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5']
    const names = [
      ...newest,
      'gpt-6-astra',
      'gpt-6.1-sol',
      'gpt-6.1-terra',
      'gpt-6-luna',
      'gemini-3.8-flash',
      'grok-4.6',
    ]
    expect(names.filter((name) => !catalogue.models.has(name))).toEqual([])
  })

  it('prices what is kept in the cache for longer above what is kept for minutes', () => {
    const isOdd = ({ written, writtenHour }: Rates) => (writtenHour ?? 0) < (written ?? 0)
    expect(namesWhere(models, (model) => everyRates(model).some(isOdd))).toEqual([])
  })

  it('prices audio above text where it prices it', () => {
    const isOdd = ({ input, output, audioIn = input, audioOut = output }: Rates) =>
      audioIn < input || audioOut < output
    expect(namesWhere(models, (model) => everyRates(model).some(isOdd))).toEqual([])
    expect(catalogue.models.get('gpt-audio')?.price.rates).toMatchObject({
      audioIn: 32_000_000,
      audioOut: 64_000_000,
    })
  })

  it('has the tiers of its vendors, under each of their names', () => {
    expect(catalogue.models.get('gpt-5.6-sol')?.price.tiers).toEqual({
      priority: { permille: 2_000 },
      fast: { permille: 2_000 },
      flex: { permille: 500 },
      batch: { permille: 500 },
    })
    expect(catalogue.models.get('gpt-4o-mini')?.price.tiers?.priority).toEqual({
      rates: { input: 250_000, output: 1_000_000, cached: 125_000 },
    })
    expect(catalogue.models.get('claude-opus-4-6')?.price.tiers).toEqual({
      priority: { permille: 1_000 },
      us: { permille: 1_100 },
      fast: { permille: 6_000 },
    })
  })

  it('has a fee for each hosted tool of OpenAI, by its size', () => {
    expect(catalogue.models.get('gpt-4o')?.price.fees).toMatchObject({
      web_search: 10_000_000_000,
      web_search_preview: 25_000_000_000,
      file_search: 2_500_000_000,
      code_interpreter: 30_000_000_000,
      'code_interpreter.64g': 1_920_000_000_000,
      'image_generation.high.1024x1024': 166_400_000_000,
      'image_generation.low.1536x1024': 16_000_000_000,
    })
    expect(catalogue.models.get('o3')?.price.fees?.web_search_preview).toBe(10_000_000_000)
  })

  it('counts by an encoding where it is known, else by bytes', () => {
    const known = new Map([
      ['openai', ['o200k', 'cl100k']],
      ['anthropic', ['claude']],
      ['groq', ['o200k', 'bytes']],
    ])
    const isOdd = ({ provider, properties }: CatalogueModel) =>
      !(known.get(provider) ?? ['bytes']).includes(properties.tokenizer)
    expect(namesWhere(models, isOdd)).toEqual([])
    expect(catalogue.models.get('gpt-4')?.properties.tokenizer).toBe('cl100k')
  })

  it('asks at least as much for output as for input, and at most ten times as much', () => {
    const isOdd = ({ input, output }: Rates) => output < input || output > 10 * input
    expect(namesWhere(generating, (model) => everyRates(model).some(isOdd))).toEqual([])
  })

  it('never asks more for a cache read than for input, nor less than a fiftieth of it', () => {
    const isOdd = ({ input, cached = input }: Rates) => cached > input || 50 * cached < input
    expect(namesWhere(models, (model) => everyRates(model).some(isOdd))).toEqual([])
  })

  it('never asks less for a cache write than for input, nor more than 1.25 times as much', () => {
    const isOdd = ({ input, written = input }: Rates) => written < input || written > 1.25 * input
    expect(namesWhere(models, (model) => everyRates(model).some(isOdd))).toEqual([])
  })

  it('stays within the range that any vendor has asked', () => {
    const isOdd = ({ input }: Rates) => input < 20_000 || input > 150_000_000
    const byTokens = models.filter(({ price }) => price.rates.input > 0)
    expect(namesWhere(byTokens, ({ price }) => isOdd(price.rates))).toEqual([])
    const others = models.filter(({ price }) => price.rates.input === 0)
    const isFree = ({ price }: CatalogueModel) => price.fees === undefined
    expect(namesWhere(others, (model) => isFree(model) !== (model.mode === 'moderation'))).toEqual([])
    const embeddings = models.filter((model) => model.mode === 'embedding')
    expect(namesWhere(embeddings, ({ price }) => price.rates.input > 200_000)).toEqual([])
  })

  it('asks more, never less, for a long prompt, from a threshold that the model can reach', () => {
    const isOdd = (model: CatalogueModel) =>
      everyRates(model).some((rates, at, all) => {
        const before = all[at - 1]
        return (
          before !== undefined &&
          ((model.price.longer?.[at - 1]?.aboveInputTokens ?? 0) >= (model.properties.contextWindow ?? 0) ||
            rates.input <= before.input ||
            rates.output <= before.output ||
            (rates.cached ?? 0) <= (before.cached ?? 0) ||
            (rates.written ?? rates.input) <= (before.written ?? before.input))
        )
      })
    expect(namesWhere(models, isOdd)).toEqual([])
  })

  it('never lets a model write more than it can read', () => {
    const isOdd = ({ properties }: CatalogueModel) =>
      (properties.maxOutputTokens ?? 0) > (properties.contextWindow ?? 0)
    expect(namesWhere(generating, isOdd)).toEqual([])
  })

  it('gives a dated or moving name the same figures as the plain one', () => {
    // Its price was halved from the August 2024 version on; the May version kept the old one.
    const keptItsOldPrice = ['gpt-4o-2024-05-13']
    const isOdd = (model: CatalogueModel) => {
      const plain = catalogue.models.get(model.model.replace(/-(\d{8}|\d{4}-\d\d-\d\d|latest|beta|001)$/, ''))
      return (
        plain !== undefined &&
        JSON.stringify({ ...plain, model: '' }) !== JSON.stringify({ ...model, model: '' })
      )
    }
    expect(namesWhere(models, isOdd)).toEqual(keptItsOldPrice)
  })
})

describe('parseCatalogue', () => {
  const sourced = { source: 'https://example.com', asOf: '2026-11' }
  const good = {
    model: 'm',
    provider: 'p',
    family: 'f',
    mode: 'embedding',
    contextWindow: 10,
    inputUsdPerMTok: 1,
  }
  const chat = { ...good, mode: 'chat', maxOutputTokens: 5, outputUsdPerMTok: 2 }
  const file = (entries: object[], more: object = {}) =>
    JSON.stringify({
      providers: { p: sourced },
      fees: {},
      families: { f: { ...sourced, tokenizer: 'bytes' } },
      models: entries,
      ...more,
    })

  it('lists every fault at once', () => {
    const faulty = file(
      [
        good,
        good,
        { ...good, model: 'free', inputUsdPerMTok: 0 },
        { ...good, model: 'fine-grained', inputUsdPerMTok: 1e-7 },
        { ...good, model: 'misspelt', mode: 'chat', maxOutputTokens: 5, ouputUsdPerMTok: 2 },
        { ...good, model: 'stray', provider: 'elsewhere', family: 'nowhere' },
        { ...chat, model: 'half-a-tier', tiers: { flex: { inputUsdPerMTok: 1 } } },
        {
          ...chat,
          model: 'unordered',
          longer: [9, 8].map((aboveInputTokens) => ({
            aboveInputTokens,
            inputUsdPerMTok: 1,
            outputUsdPerMTok: 1,
          })),
        },
      ],
      {
        fees: { tools: { ...sourced, usd: { web_search: -1 } } },
        families: {
          f: { ...sourced, tokenizer: 'bytes' },
          orphan: { extends: 'gone' },
          loop: { extends: 'loop' },
          unsourced: { tokenizer: 'bytes' },
          unpaid: { extends: 'f', fees: ['none'] },
          strange: { ...sourced, tokenizer: 'morse' },
        },
      },
    )
    const read = () => parseCatalogue(faulty)
    for (const fault of [
      'm: listed twice',
      'free/inputUsdPerMTok: must be > 0',
      'fine-grained: input price 1e-7 has more than 6 decimal places',
      'misspelt: must have required properties outputUsdPerMTok',
      'misspelt/ouputUsdPerMTok',
      'stray: provider elsewhere has no source',
      'stray: there is no family nowhere',
      'half-a-tier/tiers/flex',
      'unordered: thresholds of longer input must ascend',
      'fees.tools/usd/web_search: must be >= 0',
      'families.orphan: extends gone, which is not a family',
      'families.loop: extends loop, which extends it',
      'families.unsourced: source is missing',
      'families.unpaid: there are no fees none',
      'families.strange/tokenizer',
    ])
      expect(read).toThrow(fault)
  })

  it('refuses a file of another shape', () => {
    expect(() => parseCatalogue('[]')).toThrow('price catalogue:\nexpected')
  })

  it('lets a family take over what it does not say itself', () => {
    const families = {
      base: {
        ...sourced,
        tokenizer: 'o200k',
        toolPromptTokens: 7,
        fees: ['tools'],
        sameTiers: { fast: 'priority' },
      },
      f: { extends: 'base', tokenizer: 'cl100k' },
    }
    const fees = { tools: { ...sourced, usd: { web_search: 0.01 } } }
    const read = parseCatalogue(file([{ ...chat, tiers: { priority: { factor: 2 } } }], { families, fees }))
    expect(read.models.get('m')).toMatchObject({
      properties: { tokenizer: 'cl100k', toolPromptTokens: 7 },
      price: {
        tiers: { priority: { permille: 2_000 }, fast: { permille: 2_000 } },
        fees: { web_search: 10_000_000_000 },
      },
    })
  })
})

describe('overrideCatalogue', () => {
  const [sonnet] = models.filter(({ model }) => model === 'claude-sonnet-5')
  if (sonnet === undefined) throw new Error('there is no such model')
  const refused = new Map<string, string>()
  const expensive = { ...sonnet, price: { rates: { input: 9, output: 9 } } }

  it('replaces the model of the same provider and leaves the original alone', () => {
    const merged = overrideCatalogue(catalogue, { models: [expensive], refused })
    expect(merged.models.get('claude-sonnet-5')?.price.rates.input).toBe(9)
    expect(catalogue.models.get('claude-sonnet-5')?.price.rates.input).toBe(2_000_000)
  })

  it('does not let one provider take the name of a model that another one lists', () => {
    const other = { ...expensive, provider: 'other' }
    const { models } = overrideCatalogue(catalogue, { models: [other], refused })
    expect(models.get('claude-sonnet-5')?.provider).toBe('anthropic')
    expect(models.get('other/claude-sonnet-5')?.provider).toBe('other')
  })

  it('takes a model away whose new price cannot be used', () => {
    const reasons = new Map([['anthropic/claude-sonnet-5', 'because']])
    const merged = overrideCatalogue(catalogue, { models: [], refused: reasons })
    expect(merged.models.has('claude-sonnet-5')).toBe(false)
    expect(merged.refused).toEqual(reasons)
    expect(merged.models.size).toBe(catalogue.models.size - 1)
  })
})
