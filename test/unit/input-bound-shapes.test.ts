import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  ImageFormula,
  ModelProperties,
} from '../../packages/service/src/providers/catalogue/model-properties.js'
import { boundInput } from '../../packages/service/src/providers/input/index.js'
import {
  createTokenCounter,
  type TokenCounter,
} from '../../packages/service/src/providers/tokenizer/token-counter.js'
import { countChatInput } from '../harness/billing/count-chat.js'
import { listPromptParts } from '../harness/billing/count-messages.js'
import { countResponsesInput } from '../harness/billing/count-responses.js'
import { claudeToolTokens } from '../harness/billing/fees.js'
import type { ImageRule } from '../harness/billing/images.js'
import { isObject, itemsOf, type Json, textAt } from '../harness/billing/json.js'
import { priceBook, type VendorModel } from '../harness/billing/price-book.js'
import { type Shape, shapes } from '../harness/billing/shapes.js'
import { countText } from '../harness/billing/text-tokens.js'
import { VendorState } from '../harness/billing/vendor-state.js'
import { shapeOf } from '../harness/providers/endpoint-shape.js'

let counter: TokenCounter
beforeAll(async () => {
  counter = await createTokenCounter()
})
afterAll(() => counter.close())

const dialects = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
  '/v1/embeddings': 'embeddings',
  '/v1/completions': 'completions',
  '/v1/images/generations': 'image_generations',
  '/v1/images/edits': 'image_edits',
  '/v1/images/variations': 'image_variations',
  '/v1/audio/speech': 'speech',
  '/v1/audio/transcriptions': 'transcriptions',
  '/v1/audio/translations': 'translations',
  '/v1/moderations': 'moderations',
  '/v1/messages/count_tokens': 'messages',
  '/v1/rerank': 'rerank',
} satisfies Record<Shape['path'], string>

/** What the upstream in the tests bills for, by the vendors' documentation. */
function countBilled({ path, body }: Shape, model: VendorModel): number {
  if (path === '/v1/chat/completions') return countChatInput(body, model).tokens
  if (path === '/v1/responses') return countResponsesInput(body, model, new VendorState()).tokens
  if (path === '/v1/messages' || path === '/v1/messages/count_tokens')
    return listPromptParts(body, model).reduce((sum, { tokens }) => sum + tokens, 0)
  // Of these, what is not in the body is bounded by the dialect: files, and a query that is read several times.
  if (path.startsWith('/v1/images/') || /\/audio\/trans/.test(path))
    return countText(textAt(body, 'prompt'), model.encoding)
  if (path === '/v1/rerank' || path === '/v1/audio/speech') return 0
  const inputs = path === '/v1/completions' ? body.prompt : body.input
  return itemsOf(inputs).reduce<number>((sum, item) => sum + countItem(item, model), 0)
}

function countItem(item: Json, model: VendorModel): number {
  if (typeof item === 'string') return countText(item, model.encoding)
  return isObject(item) ? countText(textAt(item, 'text'), model.encoding) : itemsOf(item).length
}

function formulaOf(rule: ImageRule): ImageFormula {
  if (rule.kind === 'tiles') return { ...rule, maxEdge: 2_048, shortEdge: 768 }
  if (rule.kind === 'patches')
    return { kind: 'patches', patchPixels: 32, permille: rule.factor * 1000, maxPatches: rule.maxPatches }
  const { patchPx, maxEdge, maxTokens } = rule
  return { kind: 'patches', patchPixels: patchPx, permille: 1000, maxPatches: maxTokens, maxEdge }
}

const propertiesOf = (model: VendorModel): ModelProperties => ({
  tokenizer: model.encoding,
  contextWindow: model.maxInput,
  maxOutputTokens: model.maxOutput,
  images: model.images ? formulaOf(model.images) : null,
  audioTokensPerSecond: 10,
  toolPromptTokens: Math.max(model.toolPrompt?.free ?? 0, model.toolPrompt?.forced ?? 0),
  vendorToolTokens:
    model.vendor === 'anthropic' ? Math.max(...claudeToolTokens.map(({ tokens }) => tokens)) : 0,
  usesPerCall: {},
})

// Those that come after another call are counted with what the provider holds, which is not in the body.
// A shape whose model has no price is refused.
const alone = shapes.filter((shape) => shape.setup === undefined && priceBook[shape.model] !== undefined)

describe('the bound of the input', () => {
  test.each(alone.map((shape) => [`${shape.path}: ${shape.name}`, shape] as const))(
    'is not below what is billed for %s',
    async (_, shape) => {
      const model = priceBook[shape.model]
      if (model === undefined) throw new Error(`${shape.model} has no price`)
      const properties = propertiesOf(model)
      const { boundTokens, audio, vendorInputs } = await boundInput({
        body: { ...shape.body },
        shape: shapeOf(dialects[shape.path]),
        properties,
        counter,
      })
      // What the vendor holds, and what its tools read, is not in the body.
      if (vendorInputs.length > 0) return
      const billed = Math.min(countBilled(shape, model), model.maxInput)
      expect(boundTokens + audio.bound).toBeGreaterThanOrEqual(billed)
    },
  )
})
