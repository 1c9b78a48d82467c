import { type Price, priceHash } from '@tallystick/record/pricing'
import { readCatalogue } from '../../providers/index.js'

/** A model of the demo, with its catalogue price. */
export interface DemoModel {
  name: ModelName
  provider: 'anthropic' | 'openai' | 'google'
  price: Price
  priceHash: string
  /** Median time until an answer begins, and how fast it is written. */
  firstTokenMs: number
  tokensPerSecond: number
  /** The fallback while its provider fails. */
  instead: ModelName | null
}

const traits = {
  'claude-opus-5-5': { firstTokenMs: 1_400, tokensPerSecond: 48, instead: 'gpt-6.1-sol' },
  'claude-sonnet-5-5': { firstTokenMs: 850, tokensPerSecond: 75, instead: 'gpt-6.1-sol' },
  'gpt-6.1-sol': { firstTokenMs: 900, tokensPerSecond: 82, instead: 'claude-sonnet-5-5' },
  'gpt-6-luna': { firstTokenMs: 420, tokensPerSecond: 140, instead: 'gemini-3.8-flash' },
  'gemini-3.8-flash': { firstTokenMs: 380, tokensPerSecond: 165, instead: 'gpt-6-luna' },
  'text-embedding-3-small': { firstTokenMs: 160, tokensPerSecond: 1, instead: null },
} as const

export type ModelName = keyof typeof traits
export type DemoModels = Readonly<Record<ModelName, DemoModel>>

const isProvider = (name: string): name is DemoModel['provider'] =>
  ['anthropic', 'openai', 'google'].includes(name)

/** Reads models from the built-in catalogue, and not from the price list of the operator, so that the demo is the same everywhere. */
export function readDemoModels(): DemoModels {
  const { models } = readCatalogue({ pricesFile: null, withMock: false, pricesOf: [], warn: () => undefined })
  const read = (name: ModelName): DemoModel => {
    const listed = models.get(name)
    if (!listed || !isProvider(listed.provider)) throw new Error(`the catalogue has no ${name}`)
    const { provider, price } = listed
    return { name, provider, price, priceHash: priceHash(price), ...traits[name] }
  }
  return {
    'claude-opus-5-5': read('claude-opus-5-5'),
    'claude-sonnet-5-5': read('claude-sonnet-5-5'),
    'gpt-6.1-sol': read('gpt-6.1-sol'),
    'gpt-6-luna': read('gpt-6-luna'),
    'gemini-3.8-flash': read('gemini-3.8-flash'),
    'text-embedding-3-small': read('text-embedding-3-small'),
  }
}
