import { asArray, asObject, asText, isObject, type JsonObject, readCount } from '@tallystick/record/json'
import { type EndpointRequest, type HostedTool, prependItem } from '../endpoint-request.js'

// xAI documents this default for its live search.
const defaultSearchResults = 20

// Types of tools that the caller runs. Compatible servers run tools of any other type themselves.
const callerTools = new Set(['', 'function', 'custom'])

export const chatRequest = {
  faultIn: (body) =>
    Array.isArray(body.messages) ? null : { path: 'messages', message: 'must be an array of messages' },

  mediaOf(body) {
    const modalities = asArray(body.modalities)
    return {
      audio: modalities.includes('audio') || isObject(body.audio),
      images: modalities.includes('image'),
    }
  },

  hostedToolsOf(body) {
    const tools: HostedTool[] = asArray(body.tools)
      .map((tool) => asText(asObject(tool).type))
      .filter((type) => !callerTools.has(type))
      .map((type) => ({ fee: type.slice(0, 64), perCall: false }))
    // Live search of compatible servers is billed by the number of sources it may use.
    const search = asObject(body.search_parameters)
    const maxUses = readCount(search.max_search_results) ?? defaultSearchResults
    if (isObject(body.search_parameters) && search.mode !== 'off')
      tools.push({ fee: 'web_search', perCall: false, maxUses, isFixed: true })
    return { tools, maxUses: null }
  },

  addSystemText: (text, _, jsonOf) => ({
    name: 'messages',
    json: prependItem({ role: 'system', content: text }, jsonOf('messages')),
  }),

  requestUsage: requestUsage,
} satisfies Partial<EndpointRequest>

/** Returns the member that makes a stream report its usage. */
export function requestUsage(body: JsonObject): Record<string, string> {
  const options = body.stream_options ?? {}
  // A value that is not an object is left unchanged: the provider rejects it.
  if (!isObject(options) || options.include_usage === true) return {}
  return { stream_options: JSON.stringify({ ...options, include_usage: true }) }
}
