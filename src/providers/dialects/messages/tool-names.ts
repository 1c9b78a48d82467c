import { asArray, asObject, asText, type JsonObject } from '../../../json/index.js'
import type { DialectToolNames } from '../tool-names.js'

export const messagesToolNames: DialectToolNames = {
  offered: (body) => [
    ...asArray(body.tools)
      .map(asObject)
      .map((tool) => asText(tool.name) || asText(tool.mcp_server_name) || asText(tool.type)),
    ...asArray(body.mcp_servers).map((server) => asText(asObject(server).name)),
  ],
  called: (answer) => asArray(answer.content).flatMap((block) => calledIn(asObject(block))),
  calledIn: (event) => calledIn(asObject(event.content_block)),
}

const calledIn = (block: JsonObject): string[] =>
  /tool_use$/.test(asText(block.type)) ? [asText(block.name)] : []
