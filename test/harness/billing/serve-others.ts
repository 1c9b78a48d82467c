import { checkInput, type Served, type VendorCall } from './call.js'
import { listPromptParts } from './count-messages.js'
import { isObject, itemsOf, type Json, textAt } from './json.js'
import { linkedImageTokens } from './media.js'
import type { VendorModel } from './price-book.js'
import { countText } from './text-tokens.js'
import { nothing } from './usage.js'

const searchPico = 2_000_000_000

/** docs.cohere.com/docs/how-does-cohere-pricing-work: a query with up to 100 documents; long ones are cut, with the query, to 500 tokens. */
export function serveRerank({ name, body, model }: VendorCall): Served {
  const query = countText(textAt(body, 'query'), model.encoding)
  const pieces = itemsOf(body.documents).reduce<number>((sum, document) => {
    const tokens = countText(textOf(document), model.encoding)
    return sum + Math.max(1, Math.ceil(tokens / Math.max(1, 500 - query)))
  }, 0)
  const searches = Math.max(1, Math.ceil(pieces / 100))
  const results = itemsOf(body.documents).map((_, index) => ({ index, relevance_score: 0.5 }))
  if (name === 'house-token-ranker')
    return servePairs(itemsOf(body.documents).map(textOf), query, model, results)
  const used = { ...nothing, feesPico: searches * searchPico }
  const answer = { id: 'r', results, meta: { billed_units: { search_units: searches } } }
  return { used, at: {}, besidesPico: 0n, answer, events: [] }
}

/** As Jina counts: the query once more with each document. */
function servePairs(documents: string[], query: number, { encoding }: VendorModel, results: Json): Served {
  const input = documents.reduce((sum, text) => sum + query + countText(text, encoding), 0)
  const answer = { results, usage: { total_tokens: input, prompt_tokens: input } }
  return { used: { ...nothing, input }, at: {}, besidesPico: 0n, answer, events: [] }
}

/** API reference, "Moderations": free. A model of one's own is paid by what it reads, and says so. */
export function serveModeration(call: VendorCall): Served {
  const { body, model, name } = call
  const tokens = itemsOf(body.input).map((item) =>
    isObject(item) && item.type === 'image_url'
      ? linkedImageTokens(model, textAt(item, 'image_url', 'url'))
      : countText(textOf(item), model.encoding),
  )
  const input = tokens.reduce((sum, each) => sum + each, 0)
  checkInput(call, input)
  const results = [{ flagged: false, categories: { hate: false }, category_scores: { hate: 0.01 } }]
  const isPaid = model.rates.input > 0
  const usage = { prompt_tokens: input, completion_tokens: 0, total_tokens: input }
  const answer = { id: 'modr-1', model: name, results, ...(isPaid && { usage }) }
  return { used: { ...nothing, input: isPaid ? input : 0 }, at: {}, besidesPico: 0n, answer, events: [] }
}

/** build-with-claude/token-counting: "Token counting is free to use". */
export function serveTokenCount({ body, model }: VendorCall): Served {
  const tokens = listPromptParts(body, model).reduce((sum, part) => sum + part.tokens, 0)
  return { used: nothing, at: {}, besidesPico: 0n, answer: { input_tokens: tokens }, events: [] }
}

const textOf = (document: Json): string =>
  isObject(document) ? textAt(document, 'text') : typeof document === 'string' ? document : ''
