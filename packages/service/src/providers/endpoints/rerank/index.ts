import {
  asArray,
  asCount,
  asObject,
  asText,
  isObject,
  type JsonObject,
  readCount,
  stringsIn,
} from '@tallystick/record/json'
import { defineEndpoint } from '../define-endpoint.js'
import { rerankShape } from './shape.js'

// Cohere bills one search unit for a query with this many documents. A document counts as several when it and the query
// together have more than this many tokens.
const documentsPerSearch = 100
const tokensPerDocument = 500
// An upper bound of the tokens around a document and its query.
const framingTokens = 8

/** Orders documents by how well they answer a query, in the format of Cohere and Jina. */
export const rerank = defineEndpoint(rerankShape, {
  faultIn({ query, documents }) {
    if (typeof query !== 'string') return { path: 'query', message: 'must be a string' }
    if (!Array.isArray(documents) || !documents.every((each) => typeof each === 'string' || isObject(each)))
      return { path: 'documents', message: 'must be a list of strings or objects' }
    return null
  },
  async measureAdditionalUsage({ query, documents }, { countTokens }) {
    const list = asArray(documents)
    const queryTokens = await countTokens([asText(query)])
    const documentTokens = await countTokens(stringsIn(list))
    const room = Math.max(1, tokensPerDocument - queryTokens - framingTokens)
    const pieces = list.length + Math.ceil(documentTokens / room)
    return {
      units: [{ names: ['search'], count: Math.max(1, Math.ceil(pieces / documentsPerSearch)) }],
      // The model reads the query once more with each document, or piece of one.
      inputTokens: (pieces + 1) * (queryTokens + framingTokens),
      unbounded: [],
    }
  },
  name: 'rerank',
  path: '/rerank',
  docs: {
    operationId: 'createRerank',
    summary: 'Rank documents (Cohere, Jina)',
    description: 'Ranks documents by how well they answer a query. The price is per search or per token.',
    example: { model: 'mock/echo', query: 'Hello?', documents: ['Hello, tally!', 'Goodbye.'] },
  },
  usageOf(answer) {
    const searches = readCount(asObject(asObject(answer.meta).billed_units).search_units)
    const usage = asObject(answer.usage)
    const input = readCount(usage.total_tokens) ?? readCount(usage.prompt_tokens)
    if (searches === null && input === null) return null
    return {
      counts: { ...(input !== null && { input }) },
      hasOutput: input !== null,
      tier: null,
      ...(searches !== null && { units: [{ names: ['search'], count: searches }] }),
    }
  },
  outputOf: () => [],
  mock: {
    answer: ({ id, inputTokens }, body) => ({
      whole: {
        id: `rerank-${id}`,
        results: rankDocuments(body),
        usage: { total_tokens: inputTokens },
        meta: { billed_units: { search_units: 1 } },
      },
      events: [],
    }),
  },
})

/** Ranks the documents of a mock call in the order in which they were sent. */
function rankDocuments({ documents, top_n }: JsonObject): object[] {
  const ranked = asArray(documents).map((_, index) => ({ index, relevance_score: 1 / (index + 1) }))
  return ranked.slice(0, asCount(top_n) || ranked.length)
}
