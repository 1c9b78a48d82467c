import {
  asArray,
  asCount,
  asObject,
  asText,
  isObject,
  type JsonObject,
  readCount,
  writeJson,
} from '../../../json/index.js'
import { mayCacheForHours } from '../cache.js'
import {
  type DialectRequest,
  findCountFault,
  type HostedTool,
  maxCountIn,
  maySummarize,
  prependItem,
} from '../dialect.js'
import { serviceTiersOf } from '../usage.js'

// OpenAI's own limit; each choice may use the whole maximum output.
const maxChoices = 128

// What xAI documents for its live search.
const defaultSearchResults = 20

// Run by the caller. What compatible servers have beside them, they run themselves.
const ownTools = new Set(['', 'function', 'custom'])

// OpenAI's own, and what servers that are compatible with it honour beside them.
const outputFields = [
  ...['max_completion_tokens', 'max_tokens'],
  ...['max_output_tokens', 'max_new_tokens', 'n_predict', 'num_predict'],
]
// The second is of servers that make more answers than they show.
const choiceFields = ['n', 'best_of']

/** Of several answers, such a server shows the best ones, and bills all. */
export const hidesChoices = ({ n, best_of }: JsonObject): true | null =>
  asCount(best_of) > Math.max(1, asCount(n)) ? true : null

export const chatRequest: DialectRequest = {
  faultIn(body) {
    if (!Array.isArray(body.messages)) return { path: 'messages', message: 'must be an array of messages' }
    const faults = [
      ...outputFields.map((field) => findCountFault(body, field)),
      ...choiceFields.map((field) => findCountFault(body, field, maxChoices)),
    ]
    return faults.find((fault) => fault !== null) ?? null
  },

  outputFields,

  maxOutputOf: (body) => maxCountIn(body, outputFields),

  // What was predicted and not used is billed as output, and no maximum holds for it.
  extraOutputOf: (body) => (body.prediction === undefined ? [] : [writeJson(body.prediction)]),

  minOutputOf: () => 0,

  tiersOf: serviceTiersOf,

  mediaOf(body) {
    const modalities = asArray(body.modalities)
    return {
      audio: modalities.includes('audio') || isObject(body.audio),
      images: modalities.includes('image'),
    }
  },

  mayReason: hidesChoices,

  hostedToolsOf(body) {
    const tools: HostedTool[] = asArray(body.tools)
      .map((tool) => asText(asObject(tool).type))
      .filter((type) => !ownTools.has(type))
      .map((type) => ({ fee: type.slice(0, 64), perCall: false }))
    // Live search of compatible servers is paid by the sources that it may use.
    const search = asObject(body.search_parameters)
    const maxUses = readCount(search.max_search_results) ?? defaultSearchResults
    if (isObject(body.search_parameters) && search.mode !== 'off')
      tools.push({ fee: 'web_search', perCall: false, maxUses, isFixed: true })
    return { tools, maxUses: null }
  },

  maySummarize,

  countsOutputPerRound: false,

  limitToolUses: () => null,

  choicesOf: (body) => maxCountIn(body, choiceFields) ?? 1,

  withSystem: (text, _, jsonOf) => ({
    name: 'messages',
    json: prependItem({ role: 'system', content: text }, jsonOf('messages')),
  }),

  usageRequest(body) {
    const options = body.stream_options ?? {}
    // Anything but an object is for the provider to refuse.
    if (!isObject(options) || options.include_usage === true) return {}
    return { stream_options: JSON.stringify({ ...options, include_usage: true }) }
  },

  mayCacheForAnHour: mayCacheForHours,
}
