import { claudeToolTokens, mcpListTokens } from './fees.js'
import { at, isList, isObject, itemsOf, type Json, type JsonObject, textAt, without } from './json.js'
import { inlineImageTokens, linkedImageTokens, namedTokens, pdfTokens } from './media.js'
import type { VendorModel } from './price-book.js'
import { countEncrypted, countText } from './text-tokens.js'

// build-with-claude/token-counting: what counts is system, messages and tools; 14 for "You are a scientist" and "Hello, Claude".
const perMessage = 3

/** A part of the prompt, in the order in which it is cached: tools, system, messages. */
export interface PromptPart {
  tokens: number
  /** What the part says, to know it again. */
  key: string
  /** How long it is to be cached up to and including this part. */
  ttl: '5m' | '1h' | null
}

const notInput = [
  'model',
  'messages',
  'system',
  'tools',
  'max_tokens',
  'metadata',
  'stop_sequences',
  'stream',
  'temperature',
  'top_k',
  'top_p',
  'thinking',
  'tool_choice',
  'service_tier',
  'cache_control',
  'container',
  'context_management',
  'inference_geo',
  'speed',
  'mcp_servers',
  'output_config',
  'output_format',
]

export function listPromptParts(body: JsonObject, model: VendorModel): PromptPart[] {
  const json = (value: Json | undefined) => countJson(value, model)
  const parts = [
    ...listTools(body, model),
    ...itemsOf(body.system).map((block) => partOf(block, countBlock(block, model))),
    ...itemsOf(body.messages).flatMap((message) => listMessage(message, model)),
  ]
  const last = parts.at(-1)
  // build-with-claude/prompt-caching, "Automatic caching": the marker of the body stands for one on the last block.
  if (last && isObject(body.cache_control)) last.ttl ??= ttlOf(body.cache_control)
  const schema = at(body, 'output_config', 'format') ?? body.output_format
  const unknown = without(body, ...notInput)
  const rest = json(schema) + (Object.keys(unknown).length > 0 ? json(unknown) : 0)
  return [...parts, { tokens: rest, key: '', ttl: null }]
}

function listTools(body: JsonObject, model: VendorModel): PromptPart[] {
  const tools = itemsOf(body.tools)
  const servers = itemsOf(body.mcp_servers)
  const parts = tools.map((tool) => partOf(tool, countTool(tool, model)))
  for (const server of servers) parts.push(partOf(without(asObject(server)), mcpListTokens))
  const [first] = parts
  if (first && model.toolPrompt) {
    const forced = /^(any|tool)$/.test(textAt(body, 'tool_choice', 'type'))
    first.tokens += forced ? model.toolPrompt.forced : model.toolPrompt.free
  }
  return parts
}

function countTool(tool: Json, model: VendorModel): number {
  const own = claudeToolTokens.find(({ type }) => type.test(textAt(tool, 'type')))
  return (own?.tokens ?? 0) + countJson(without(asObject(tool), 'cache_control'), model)
}

function listMessage(message: Json, model: VendorModel): PromptPart[] {
  if (!isObject(message)) return []
  const parts = itemsOf(message.content).map((block) => partOf(block, countBlock(block, model)))
  const unknown = without(message, 'role', 'content')
  const extra = Object.keys(unknown).length > 0 ? countJson(unknown, model) : 0
  return [{ tokens: perMessage + extra, key: textAt(message, 'role'), ttl: null }, ...parts]
}

function partOf(block: Json, tokens: number): PromptPart {
  // A marker may stand on a block inside the result of a tool as well.
  const inner = itemsOf(at(block, 'content')).map((each) => at(each, 'cache_control'))
  const control = [at(block, 'cache_control'), ...inner].find(isObject)
  return { tokens, key: JSON.stringify(block), ttl: control ? ttlOf(control) : null }
}

const ttlOf = (control: JsonObject): '5m' | '1h' => (control.ttl === '1h' ? '1h' : '5m')
const asObject = (value: Json): JsonObject => (isObject(value) ? value : {})

const countJson = (value: Json | undefined, model: VendorModel): number =>
  value === undefined || value === null ? 0 : countText(JSON.stringify(value), model.encoding)

function countBlocks(content: Json | undefined, model: VendorModel): number {
  return itemsOf(content).reduce<number>((sum, block) => sum + countBlock(block, model), 0)
}

function countBlock(block: Json, model: VendorModel): number {
  const text = (...names: string[]) =>
    names.reduce((sum, name) => sum + countText(textAt(block, name), model.encoding), 0)
  if (!isObject(block)) return typeof block === 'string' ? countText(block, model.encoding) : 0
  switch (block.type) {
    case 'text':
      return text('text') + countExtra(block, ['type', 'text', 'cache_control', 'citations'], model)
    case 'image':
      return countImageSource(block.source, model)
    case 'document':
      return text('title', 'context') + countDocument(block.source, model)
    case 'search_result':
      return text('title', 'source') + countBlocks(block.content, model)
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return text('name', 'server_name') + countJson(block.input, model)
    case 'tool_result':
    case 'mcp_tool_result':
      return countBlocks(block.content, model)
    // build-with-claude/extended-thinking: the signature holds the full thinking, of which the text may be a summary.
    case 'thinking':
      return Math.max(text('thinking'), countEncrypted(textAt(block, 'signature')))
    case 'redacted_thinking':
      return countEncrypted(textAt(block, 'data'))
    case 'compaction':
      return text('content') + countEncrypted(textAt(block, 'encrypted_content'))
    case 'web_search_tool_result':
      return itemsOf(block.content).reduce<number>((sum, result) => sum + countSearchResult(result, model), 0)
    case 'web_fetch_tool_result':
      return (
        countBlocks(at(block, 'content', 'content'), model) +
        countText(textAt(block.content, 'url'), model.encoding)
      )
    // The file goes to the container; the model is told its name.
    case 'container_upload':
      return countJson(block, model)
    default:
      return countJson(without(block, 'cache_control'), model)
  }
}

function countExtra(block: JsonObject, known: readonly string[], model: VendorModel): number {
  const rest = without(block, ...known)
  return Object.keys(rest).length > 0 ? countJson(rest, model) : 0
}

function countSearchResult(result: Json, model: VendorModel): number {
  const shown = countText(`${textAt(result, 'title')}\n${textAt(result, 'url')}`, model.encoding)
  return shown + countEncrypted(textAt(result, 'encrypted_content'))
}

function countImageSource(source: Json | undefined, model: VendorModel): number {
  if (textAt(source, 'type') === 'base64')
    return inlineImageTokens(model, Buffer.from(textAt(source, 'data'), 'base64'))
  return textAt(source, 'type') === 'url'
    ? linkedImageTokens(model, textAt(source, 'url'))
    : namedTokens(model, textAt(source, 'file_id'))
}

function countDocument(source: Json | undefined, model: VendorModel): number {
  const data = textAt(source, 'data')
  switch (textAt(source, 'type')) {
    case 'base64':
      return pdfTokens(model, Buffer.from(data, 'base64'))
    case 'text':
      return countText(data, model.encoding)
    case 'content': {
      const content = at(source, 'content')
      return isList(content)
        ? countBlocks(content, model)
        : countText(textAt(source, 'content'), model.encoding)
    }
    default:
      return namedTokens(model, textAt(source, 'url') || textAt(source, 'file_id'))
  }
}
