import { asArray, asObject, asText, type JsonObject } from '../../../json/index.js'
import type { DialectToolNames } from '../tool-names.js'

export const responsesToolNames: DialectToolNames = {
  offered: (body) => asArray(body.tools).map((tool) => nameOfTool(asObject(tool))),
  called: (answer) => asArray(answer.output).flatMap((item) => calledIn(asObject(item))),
  calledIn: (event) => calledIn(asObject(event.item)),
}

const nameOfTool = (tool: JsonObject): string =>
  asText(tool.name) || (tool.type === 'mcp' ? `mcp:${asText(tool.server_label)}` : asText(tool.type))

/** Tools of the vendor are called by items of their type, such as `web_search_call`. */
function calledIn(item: JsonObject): string[] {
  const type = asText(item.type)
  if (!type.endsWith('_call')) return []
  return [asText(item.name) || type.replace(/_call$/, '')]
}
