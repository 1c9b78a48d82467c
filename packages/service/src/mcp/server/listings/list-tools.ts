import { isObject, type JsonObject } from '@tallystick/record/json'
import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import type { CallerAccess } from '../contract.js'
import { attribute, composeName } from '../protocol/names.js'
import type { ListedItem } from './pages.js'

/** Lists the tools that a caller may call, as the caller sees them. */
export async function listTools(
  servers: readonly ToolServer[],
  access: CallerAccess,
  form: { isComposed: boolean; isModern: boolean },
): Promise<ListedItem[]> {
  const items: ListedItem[] = []
  for (const server of servers)
    for (const definition of await access.toolsOf(server)) {
      const name = String(definition.name)
      const shown = form.isComposed ? composeTool(server.name, definition, name) : definition
      items.push({
        key: composeName(server.name, name),
        json: JSON.stringify(offeredTool(shown, form.isModern)),
      })
    }
  return items
}

/** Removes what is not supported: tasks, and output schemas that are not objects, for which older callers would refuse the whole list. */
function offeredTool({ execution: _, outputSchema, ...tool }: JsonObject, isModern: boolean): JsonObject {
  const isKnown = isModern
    ? outputSchema !== undefined
    : isObject(outputSchema) && outputSchema.type === 'object'
  return isKnown ? { ...tool, outputSchema } : tool
}

function composeTool(server: string, definition: JsonObject, name: string): JsonObject {
  const { title, description, annotations } = definition
  return {
    ...definition,
    name: composeName(server, name),
    ...(typeof title === 'string' && { title: attribute(server, title) }),
    ...(typeof description === 'string' && { description: attribute(server, description) }),
    ...(isObject(annotations) &&
      typeof annotations.title === 'string' && {
        annotations: { ...annotations, title: attribute(server, annotations.title) },
      }),
  }
}
