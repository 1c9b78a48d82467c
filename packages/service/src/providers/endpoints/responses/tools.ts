import { asArray, asCount, asObject, asText, type JsonObject, readCount } from '@tallystick/record/json'
import type { HostedTool, HostedTools } from '../endpoint-request.js'
import { responsesShape } from './shape.js'

// True for tools that the caller runs, and for namespaces, which are not run. They have no fee, and their results reach the
// model only in requests of the caller.
const isOwnTool = (type: string): boolean =>
  /^(?:function|custom|namespace)$/.test(type) || responsesShape.description.callerTools?.test(type) === true

/**
 * Returns the vendor's tools that a request allows. A tool that is not known to run on the caller's side counts as
 * one of them.
 */
export function hostedToolsOf(body: JsonObject): HostedTools {
  const tools = asArray(body.tools)
    .map(asObject)
    .filter(({ type }) => !isOwnTool(asText(type)))
    .flatMap((tool) => {
      const hosted = toHostedTool(tool)
      const partial =
        body.stream === true && tool.type === 'image_generation' ? asCount(tool.partial_images) : 0
      const pieces = Array.from({ length: Math.min(partial, 16) }, () => partialImage)
      return [hosted, ...pieces]
    })
  return { tools, maxUses: readCount(body.max_tool_calls) }
}

const partialImage: HostedTool = { fee: 'image_generation.partial', perCall: false }

function toHostedTool(tool: JsonObject): HostedTool {
  const type = asText(tool.type)
  if (type.startsWith('web_search_preview')) return { fee: 'web_search_preview', perCall: false }
  if (type.startsWith('web_search')) return { fee: 'web_search', perCall: false }
  if (type === 'code_interpreter' || type === 'shell') return { fee: containerFee(tool), perCall: true }
  if (type === 'image_generation') return { fee: imageFee(tool), perCall: false }
  return { fee: type.slice(0, 64), perCall: false }
}

/** Returns the name of the fee for a container, which is billed once, by its memory. */
function containerFee({ container, environment }: JsonObject): string {
  const memory = asText(asObject(container ?? environment).memory_limit)
  return memory === '' || memory === '1g' ? 'code_interpreter' : `code_interpreter.${memory.slice(0, 8)}`
}

/** Returns the name of the fee for an image. A setting that the vendor may choose counts as its most expensive value. */
function imageFee({ quality, size }: JsonObject): string {
  const valueOr = (value: unknown, otherwise: string) =>
    asText(value) === '' || value === 'auto' ? otherwise : asText(value).slice(0, 16)
  return `image_generation.${valueOr(quality, 'high')}.${valueOr(size, '1024x1536')}`
}

/** Returns how often the vendor reports to have used its own tools. */
export function countToolUses(response: JsonObject, request: JsonObject): Record<string, number> {
  const uses: Record<string, number> = {}
  const add = (fee: string, count = 1) => {
    if (count > 0) uses[fee] = (uses[fee] ?? 0) + count
  }
  const requested = asArray(request.tools).map(asObject)
  const toolOf = (type: string) => requested.find((tool) => asText(tool.type).startsWith(type)) ?? {}
  const containers = new Set<string>()
  for (const item of asArray(response.output).map(asObject)) {
    const type = asText(item.type)
    if (type === 'web_search_call') {
      // Opening a page that was found, and searching in it, are free.
      const action = asObject(item.action).type ?? 'search'
      if (action === 'search') add(toHostedTool(toolOf('web_search')).fee || 'web_search')
    } else if (type === 'file_search_call') {
      add('file_search')
    } else if (type === 'image_generation_call') {
      const tool = toolOf('image_generation')
      add(imageFee({ ...tool, ...definedOf(item, ['quality', 'size']) }))
      if (request.stream === true) add('image_generation.partial', asCount(tool.partial_images))
    } else if (type === 'code_interpreter_call' || type === 'shell_call') {
      const environment = asObject(item.environment)
      const container = asText(item.container_id ?? environment.container_id)
      const tool = toolOf(type === 'shell_call' ? 'shell' : 'code_interpreter')
      // A container that the request names was billed when it was created.
      const isPaid = typeof tool.container === 'string' || containers.has(container)
      if (isPaid || (type === 'shell_call' && container === '')) continue
      containers.add(container)
      add(containerFee(tool))
    }
  }
  return uses
}

const definedOf = (item: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (typeof item[name] === 'string' ? [[name, item[name]]] : [])))
