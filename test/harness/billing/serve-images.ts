import { realSize } from '../media/real-sizes.js'
import type { Served, VendorCall } from './call.js'
import { countImage, readSize, type Size } from './images.js'
import { type Json, type JsonObject, textAt } from './json.js'
import { Refusal } from './media.js'
import { countText } from './text-tokens.js'
import { nothing } from './usage.js'

const cent = 10_000_000_000

// developers.openai.com/api/docs/pricing, "Image generation". Picodollars for each image, by quality and size.
const imageFees: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'dall-e-2': {
    'standard 256x256': 1.6 * cent,
    'standard 512x512': 1.8 * cent,
    'standard 1024x1024': 2 * cent,
  },
  'dall-e-3': {
    'standard 1024x1024': 4 * cent,
    'standard 1024x1792': 8 * cent,
    'standard 1792x1024': 8 * cent,
    'hd 1024x1024': 8 * cent,
    'hd 1024x1792': 12 * cent,
    'hd 1792x1024': 12 * cent,
  },
}
// api/docs/models/gpt-image-1: 5 USD for a million text tokens that go in, 10 for those of images.
const imageInputPico = 5_000_000

// guides/image-generation, "Cost and latency": output tokens of an image.
const imageTokens: Readonly<Record<string, number>> = {
  'low 1024x1024': 272,
  'low 1024x1536': 408,
  'low 1536x1024': 400,
  'medium 1024x1024': 1_056,
  'medium 1024x1536': 1_584,
  'medium 1536x1024': 1_568,
  'high 1024x1024': 4_160,
  'high 1024x1536': 6_240,
  'high 1536x1024': 6_208,
}

export const serveImages = (call: VendorCall): Served => makeImages(call, 0)

export function serveEdits(call: VendorCall): Served {
  const fidelity = textAt(call.body, 'input_fidelity')
  const read = call.files.map((bytes) => {
    const size = realSize(bytes) ?? readSize(bytes)
    if (!size) throw new Refusal('Invalid image file or mode')
    return readImageTokens(size, fidelity === 'high')
  })
  return makeImages(
    call,
    read.reduce((sum, each) => sum + each, 0),
  )
}

export const serveVariations = (call: VendorCall): Served => makeImages(call, 0)

// guides/images-vision, "GPT Image 1": 65 tokens and 129 for each tile of 512 pixels, after the shorter side was scaled to 512; at high
// fidelity as many more as an image of that form has.
function readImageTokens({ width, height }: Size, isHigh: boolean): number {
  const fit = Math.min(1, 2_048 / Math.max(width, height))
  const short = Math.min(1, 512 / (Math.min(width, height) * fit))
  const scaled = { width: Math.ceil(width * fit * short), height: Math.ceil(height * fit * short) }
  const tokens = countImage({ kind: 'tiles', base: 65, perTile: 129 }, scaled, 'high')
  return tokens + (isHigh ? (width === height ? 4_160 : 6_240) : 0)
}

function makeImages({ name, body, model }: VendorCall, imageInput: number): Served {
  const count = countOf(body)
  const size = textAt(body, 'size') || '1024x1024'
  const data: Json = Array.from({ length: count }, () => ({ b64_json: 'iVBORw0KGgo=' }))
  const fees = imageFees[name]
  if (fees !== undefined) {
    const fee = fees[`${textAt(body, 'quality') || 'standard'} ${size}`]
    if (fee === undefined) throw new Refusal(`${size} is not supported`)
    const used = { ...nothing, feesPico: fee * count }
    return { used, at: {}, besidesPico: 0n, answer: { created: 1, data }, events: [] }
  }
  // What it chooses itself is the best that there is.
  const quality = textAt(body, 'quality') || 'high'
  const input = countText(textAt(body, 'prompt'), model.encoding) + imageInput
  const output = count * (imageTokens[`${quality} ${size === 'auto' ? '1024x1536' : size}`] ?? 6_240)
  const usage = {
    input_tokens: input,
    input_tokens_details: { text_tokens: input - imageInput, image_tokens: imageInput },
    output_tokens: output,
    total_tokens: input + output,
  }
  const answer = { created: 1, data, usage }
  const feesPico = imageInput * imageInputPico
  return { used: { ...nothing, input, output, feesPico }, at: {}, besidesPico: 0n, answer, events: [] }
}

/** Fields of a form are texts. */
const countOf = ({ n }: JsonObject): number => Number(n ?? 1)
