import {
  containerFees,
  dearestImage,
  fileSearchChunkTokens,
  generatedImageTokens,
  imageTokenPico,
  mcpListTokens,
  openaiTools,
  partialImageTokens,
  usesWithoutBound,
} from './fees.js'
import { at, isObject, itemsOf, type JsonObject, numberAt, textAt } from './json.js'
import type { VendorModel } from './price-book.js'

/** What the model does with one hosted tool of a response. */
export interface ToolUse {
  type: string
  uses: number
  feesPico: number
  /** Input tokens: what the tool put before the model. */
  contentTokens: number
  /** Of generated images. */
  imageTokens: number
  size: string
  quality: string
}

/**
 * Each tool as often as the request allows. `max_tool_calls` is a bound over all tools; the most expensive gets all of it.
 * Without it, three times each.
 */
export function useHostedTools(body: JsonObject, model: VendorModel): ToolUse[] {
  if (body.tool_choice === 'none') return []
  const tools = itemsOf(body.tools).filter(isObject).filter(isHosted)
  const bound = numberAt(body, 'max_tool_calls')
  if (bound === undefined)
    return tools.map((tool) => useTool(tool, usesWithoutBound, model, body.stream === true))
  const used = tools.map((tool) => useTool(tool, bound, model, body.stream === true))
  const mostExpensive = used.toSorted((a, b) => picoOf(b, model) - picoOf(a, model)).slice(0, 1)
  // The list of a remote server's tools is read, whether one of them is used or not.
  const idle = tools
    .filter(({ type }) => type === 'mcp' && mostExpensive[0]?.type !== 'mcp')
    .map((tool) => useTool(tool, 0, model, false))
  return [...mostExpensive, ...idle]
}

const isHosted = (tool: JsonObject) => {
  const type = textAt(tool, 'type')
  // The shell is hosted where the request names a container for it.
  if (type === 'shell') return textAt(tool, 'environment', 'type').startsWith('container_')
  return type === 'image_generation' || type in openaiTools
}

const picoOf = ({ feesPico, imageTokens, contentTokens }: ToolUse, model: VendorModel) =>
  feesPico + imageTokens * imageTokenPico + contentTokens * model.rates.input

function useTool(tool: JsonObject, uses: number, model: VendorModel, stream: boolean): ToolUse {
  const type = textAt(tool, 'type')
  const use: ToolUse = { type, uses, feesPico: 0, contentTokens: 0, imageTokens: 0, size: '', quality: '' }
  if (type === 'image_generation') return { ...use, ...generate(tool, uses, stream) }
  const known = openaiTools[type]
  if (!known) return use
  const fee = known.fee(model)
  return {
    ...use,
    feesPico: fee * uses + (uses > 0 ? containerFee(tool) : 0),
    contentTokens: contentOf(tool, type, known.contentTokens, uses, model),
  }
}

// A container that is named was paid for when it was made.
function containerFee(tool: JsonObject): number {
  const container = at(tool, 'container') ?? at(tool, 'environment')
  if (!/^(auto|container_auto)$/.test(textAt(container, 'type'))) return 0
  return containerFees[textAt(container, 'memory_limit') || '1g'] ?? 0
}

function contentOf(tool: JsonObject, type: string, perUse: number, uses: number, model: VendorModel): number {
  if (type === 'web_search_preview' && !model.reasons) return 0
  if (type === 'file_search') {
    const results = numberAt(tool, 'max_num_results')
    return uses * (results === undefined ? perUse : results * fileSearchChunkTokens)
  }
  return uses * perUse + (type === 'mcp' ? mcpListTokens : 0)
}

function generate(
  tool: JsonObject,
  uses: number,
  stream: boolean,
): Pick<ToolUse, 'imageTokens' | 'size' | 'quality'> {
  const asked = { size: textAt(tool, 'size'), quality: textAt(tool, 'quality') }
  const size = asked.size in generatedImageTokens ? asked.size : dearestImage.size
  const quality = /^(low|medium|high)$/.test(asked.quality) ? asked.quality : dearestImage.quality
  const partial = stream ? (numberAt(tool, 'partial_images') ?? 0) * partialImageTokens : 0
  const each = (generatedImageTokens[size]?.[quality] ?? 0) + partial
  return { imageTokens: uses * each, size, quality }
}
