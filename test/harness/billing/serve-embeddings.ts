import { checkInput, type Served, type VendorCall } from './call.js'
import { isList, itemsOf, type Json } from './json.js'
import { countText } from './text-tokens.js'
import { nothing } from './usage.js'

/** API reference, "Embeddings": a text, a list of texts, a list of tokens, or a list of such lists. */
export function serveEmbeddings(call: VendorCall): Served {
  const { body, model, name } = call
  const inputs = isTokens(body.input) ? [body.input] : itemsOf(body.input)
  const tokens = inputs.map((input) =>
    isTokens(input) ? input.length : countText(typeof input === 'string' ? input : '', model.encoding),
  )
  for (const each of tokens) checkInput(call, each)
  const sum = tokens.reduce((total, each) => total + each, 0)
  const embedding =
    body.encoding_format === 'base64'
      ? Buffer.from(Float32Array.from([0.1, 0.2]).buffer).toString('base64')
      : [0.1, 0.2]
  const answer = {
    object: 'list',
    model: name,
    data: inputs.map((_, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: sum, total_tokens: sum },
  }
  return { used: { ...nothing, input: sum }, at: {}, besidesPico: 0n, answer, events: [] }
}

const isTokens = (value: Json | undefined): value is readonly number[] =>
  isList(value) && value.length > 0 && value.every((token) => typeof token === 'number')
