import type { CallToolResult, McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { asObject, asText, isObject, type JsonObject } from '@tallystick/record/json'
import type { Principal } from '../../http/index.js'
import { ApiError } from '../../shared/errors.js'
import type { CallApi } from './call-api.js'
import type { OfferedTool } from './offered-tool.js'

export type Sdk = typeof import('@modelcontextprotocol/server')

const instructions = `Tallystick governs your calls to models and tools: keys, limits, budgets, policies, and a record of every call.
Ask budget_left for what is left before long work. If it will not do, file_budget_request asks a manager for more, and list_budget_requests says what was decided.
usage and spend_top say what was spent, search_calls and get_call what each call did. Amounts are US dollars, times are UTC.`

// Clients truncate longer results, possibly in the middle of a row. An error that asks the model for fewer rows is more useful.
const maxResultBytes = 64 * 1024

export interface ManagementCaller {
  principal: Principal
  callApi: CallApi
  /** Called with errors of this service. */
  onError(error: unknown): void
}

/** Creates an MCP server with the tools that this caller may use. It serves one request. */
export function createManagementServer(
  sdk: Sdk,
  tools: readonly OfferedTool[],
  version: string,
  caller: ManagementCaller,
): McpServer {
  const server = new sdk.McpServer(
    { name: 'tallystick', title: 'Tallystick', version },
    // The tools depend on the role, which is read for each request. Callers are not notified when it changes.
    { instructions, capabilities: { tools: { listChanged: false } } },
  )
  for (const tool of tools.filter(({ offeredTo }) => offeredTo(caller.principal.role)))
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: uncheckedSchema(tool.inputSchema),
        annotations: {
          readOnlyHint: tool.changes === undefined,
          destructiveHint: tool.changes?.destructive ?? false,
          idempotentHint: tool.changes?.idempotent ?? true,
          openWorldHint: false,
        },
      },
      (args) => callTool(tool, args, caller),
    )
  return server
}

/** Returns a schema that only requires an object. The API validates the arguments, and its error messages name the fields. */
const uncheckedSchema = (schema: JsonObject): StandardSchemaWithJSON<JsonObject> => ({
  '~standard': {
    version: 1,
    vendor: 'tallystick',
    validate: (value) =>
      isObject(value) ? { value } : { issues: [{ message: 'The arguments must be an object' }] },
    jsonSchema: { input: () => schema, output: () => schema },
  },
})

async function callTool(
  tool: OfferedTool,
  args: JsonObject,
  caller: ManagementCaller,
): Promise<CallToolResult> {
  try {
    const { request, extras } = tool.plan(args, caller.principal)
    const { status, body } = await caller.callApi(request)
    if (status >= 400) return failed(asObject(asObject(body).error))
    const answer = isObject(body) ? body : { data: body }
    return succeeded(tool.present?.(answer, extras) ?? answer)
  } catch (error) {
    if (error instanceof ApiError) return failed(error.toBody().error)
    caller.onError(error)
    return failed({ type: 'internal_error', message: 'Something went wrong on our side' })
  }
}

function succeeded(answer: JsonObject): CallToolResult {
  const text = JSON.stringify(answer)
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxResultBytes) return { content: [{ type: 'text', text }], structuredContent: answer }
  const message = `The answer has ${Math.ceil(bytes / 1024)} KiB, and a result of a tool ${maxResultBytes / 1024} at most: ask for fewer rows (limit, top), a shorter span or a narrower filter`
  return failed({ type: 'payload_too_large', message })
}

const failed = (error: object): CallToolResult => {
  const { type, message } = asObject(error)
  return {
    isError: true,
    content: [{ type: 'text', text: `${asText(type)}: ${asText(message)}` }],
    structuredContent: { error },
  }
}
