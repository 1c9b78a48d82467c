import type { Served, VendorCall } from './call.js'
import { isObject, itemsOf, type Json, numberAt, textAt } from './json.js'
import { Refusal } from './media.js'
import { countText } from './text-tokens.js'
import { nothing } from './usage.js'

const cent = 10_000_000_000

// developers.openai.com/api/docs/pricing, "Image generation". Picodollars for each image, by quality and size.
const imageFees: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'dall-e-3': {
    'standard 1024x1024': 4 * cent,
    'standard 1024x1792': 8 * cent,
    'standard 1792x1024': 8 * cent,
    'hd 1024x1024': 8 * cent,
    'hd 1024x1792': 12 * cent,
    'hd 1792x1024': 12 * cent,
  },
}
// guides/image-generation, "Cost and latency": output tokens of an image.
const imageTokens: Readonly<Record<string, number>> = {
  'low 1024x1024': 272,
  'low 1024x1536': 408,
  'medium 1024x1536': 1_584,
  'high 1024x1024': 4_160,
  'high 1024x1536': 6_240,
}

export function serveImages({ name, body, model }: VendorCall): Served {
  const count = numberAt(body, 'n') ?? 1
  const size = textAt(body, 'size') || '1024x1024'
  const data = Array.from({ length: count }, () => ({ b64_json: 'iVBORw0KGgo=' }))
  const fees = imageFees[name]
  if (fees !== undefined) {
    const fee = fees[`${textAt(body, 'quality') || 'standard'} ${size}`]
    if (fee === undefined) throw new Refusal(`${size} is not supported`)
    const used = { ...nothing, feesPico: fee * count }
    return { used, at: {}, besidesPico: 0n, answer: { created: 1, data }, events: [] }
  }
  // What it chooses itself is the best that there is.
  const quality = textAt(body, 'quality') || 'high'
  const input = countText(textAt(body, 'prompt'), model.encoding)
  const output = count * (imageTokens[`${quality} ${size === 'auto' ? '1024x1536' : size}`] ?? 6_240)
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output }
  const answer = { created: 1, data, usage }
  return { used: { ...nothing, input, output }, at: {}, besidesPico: 0n, answer, events: [] }
}

const searchPico = 2_000_000_000

/** docs.cohere.com/docs/how-does-cohere-pricing-work: a query with up to 100 documents; long ones are cut, with the query, to 500 tokens. */
export function serveRerank({ body, model }: VendorCall): Served {
  const query = countText(textAt(body, 'query'), model.encoding)
  const pieces = itemsOf(body.documents).reduce<number>((sum, document) => {
    const tokens = countText(textOf(document), model.encoding)
    return sum + Math.max(1, Math.ceil(tokens / Math.max(1, 500 - query)))
  }, 0)
  const searches = Math.max(1, Math.ceil(pieces / 100))
  const used = { ...nothing, feesPico: searches * searchPico }
  const results = itemsOf(body.documents).map((_, index) => ({ index, relevance_score: 0.5 }))
  const answer = { id: 'r', results, meta: { billed_units: { search_units: searches } } }
  return { used, at: {}, besidesPico: 0n, answer, events: [] }
}

const textOf = (document: Json): string =>
  isObject(document) ? textAt(document, 'text') : typeof document === 'string' ? document : ''
