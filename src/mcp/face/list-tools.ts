import { isObject, type JsonObject } from '../../json/index.js'
import type { McpServerTerms } from '../../modules/mcp-servers/index.js'
import type { CallerAccess } from './contract.js'
import { attribute, composeName } from './names.js'
import type { ListedItem } from './pages.js'

/** The tools that a caller may call, as it sees them. */
export async function listTools(
  servers: readonly McpServerTerms[],
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

/** Less what we do not offer: tasks, and to older callers results that are no objects, which they would refuse the whole list for. */
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
