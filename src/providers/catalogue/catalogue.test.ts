import { describe, expect, it } from 'vitest'
import type { Rates } from '../../pricing/index.js'
import { type CatalogueModel, loadCatalogue, overrideCatalogue, readCatalogue } from './catalogue.js'

const catalogue = loadCatalogue()
const models = [...catalogue.values()]
const generating = models.filter((model) => model.mode !== 'embedding')

function namesWhere(list: CatalogueModel[], isOdd: (model: CatalogueModel) => boolean): string[] {
  return list.filter(isOdd).map((model) => model.model)
}

function everyRates({ price: { rates, longer = [] } }: CatalogueModel): Rates[] {
  return [rates, ...longer.map((step) => step.rates)]
}

describe('the price catalogue', () => {
  it('prices the common models of eight providers', () => {
    expect(models.length).toBeGreaterThan(250)
    expect(new Set(models.map((model) => model.provider))).toEqual(
      new Set(['anthropic', 'cohere', 'deepseek', 'google', 'groq', 'mistral', 'openai', 'xai']),
    )
    expect(catalogue.get('claude-sonnet-4-5')).toEqual({
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
      },
      maxInputTokens: 200_000,
      maxOutputTokens: 64_000,
    })
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
    expect(namesWhere(models, ({ price }) => isOdd(price.rates))).toEqual([])
    const embeddings = models.filter((model) => model.mode === 'embedding')
    expect(namesWhere(embeddings, ({ price }) => price.rates.input > 200_000)).toEqual([])
  })

  it('asks more, never less, for a long prompt, from a threshold that the model can reach', () => {
    const isOdd = (model: CatalogueModel) =>
      everyRates(model).some((rates, at, all) => {
        const before = all[at - 1]
        return (
          before !== undefined &&
          ((model.price.longer?.[at - 1]?.aboveInputTokens ?? 0) >= model.maxInputTokens ||
            rates.input <= before.input ||
            rates.output <= before.output ||
            (rates.cached ?? 0) <= (before.cached ?? 0) ||
            (rates.written ?? rates.input) <= (before.written ?? before.input))
        )
      })
    expect(namesWhere(models, isOdd)).toEqual([])
  })

  it('never lets a model write more than it can read', () => {
    expect(namesWhere(generating, (model) => (model.maxOutputTokens ?? 0) > model.maxInputTokens)).toEqual([])
  })

  it('gives a dated or moving name the same figures as the plain one', () => {
    // Its price was halved from the August 2024 version on; the May version kept the old one.
    const keptItsOldPrice = ['gpt-4o-2024-05-13']
    const isOdd = (model: CatalogueModel) => {
      const plain = catalogue.get(model.model.replace(/-(\d{8}|\d{4}-\d\d-\d\d|latest|beta|001)$/, ''))
      return (
        plain !== undefined &&
        JSON.stringify({ ...plain, model: '' }) !== JSON.stringify({ ...model, model: '' })
      )
    }
    expect(namesWhere(models, isOdd)).toEqual(keptItsOldPrice)
  })
})

describe('readCatalogue', () => {
  const good = { model: 'm', provider: 'p', mode: 'embedding', maxInputTokens: 10, inputUsdPerMTok: 1 }
  const file = (...entries: object[]) => JSON.stringify({ asOf: '2026-08', models: entries })

  it('lists every fault at once', () => {
    const faulty = file(
      good,
      good,
      { ...good, model: 'free', inputUsdPerMTok: 0 },
      { ...good, model: 'fine-grained', inputUsdPerMTok: 1e-7 },
      { ...good, model: 'misspelt', mode: 'chat', maxOutputTokens: 5, ouputUsdPerMTok: 2 },
    )
    const read = () => readCatalogue(faulty)
    expect(read).toThrow('m: listed twice')
    expect(read).toThrow('free/inputUsdPerMTok: must be > 0')
    expect(read).toThrow('fine-grained: input price 1e-7 has more than 6 decimal places')
    expect(read).toThrow('misspelt: must have required properties outputUsdPerMTok')
    expect(read).toThrow('misspelt/ouputUsdPerMTok')
  })

  it('refuses a file of another shape', () => {
    expect(() => readCatalogue('[]')).toThrow('price catalogue: expected')
  })
})

describe('overrideCatalogue', () => {
  const ours = readCatalogue(
    JSON.stringify({
      asOf: '2026-08',
      models: [{ model: 'm', provider: 'p', mode: 'embedding', maxInputTokens: 10, inputUsdPerMTok: 1 }],
    }),
  )
  const base = [...ours.values()].map((model) => ({ ...model, maxInputTokens: 99 }))

  it('replaces the model of the same provider and leaves the original map alone', () => {
    expect(overrideCatalogue(ours, base).get('m')?.maxInputTokens).toBe(99)
    expect(ours.get('m')?.maxInputTokens).toBe(10)
  })

  it('does not let one provider take the name of a model that another one lists', () => {
    const merged = overrideCatalogue(
      ours,
      base.map((model) => ({ ...model, provider: 'other' })),
    )
    expect(merged.get('m')?.provider).toBe('p')
    expect(merged.get('other/m')?.provider).toBe('other')
  })
})
