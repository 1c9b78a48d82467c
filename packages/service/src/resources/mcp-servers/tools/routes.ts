import { allowNoBody, ById, type ManagementApi, type Principal, principalOf } from '../../../http/index.js'
import type { RecordEvent } from '../../../record/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { type DirectoryParts, readServer, readServers } from '../directory.js'
import { presentTools } from '../present.js'
import { tag } from '../routes.js'
import { ApproveTool, ApproveTools, McpTool, McpToolList, ToolParams } from '../schema.js'
import { listPins, listTools, type ToolRow } from '../store.js'
import { type Approval, approveTools, blockTool } from './decide.js'
import { othersOf } from './other-servers.js'

export interface McpToolRoutesOptions extends DirectoryParts {
  recordEvent: RecordEvent
  yieldToEventLoop: YieldToEventLoop
}

export function registerMcpToolRoutes({ app }: ManagementApi, options: McpToolRoutesOptions): void {
  const { db, servers, yieldToEventLoop } = options

  async function present(principal: Principal, serverId: string, rows: readonly ToolRow[]) {
    const { tenantId } = principal
    const others = othersOf(serverId, await readServers(options, principal), await listPins(db, tenantId))
    return await presentTools(db, tenantId, rows, others, yieldToEventLoop)
  }

  async function serverOf(principal: Principal, id: string) {
    const { name } = await readServer(options, principal, id)
    return { tenantId: principal.tenantId, id, name }
  }

  async function approve(principal: Principal, id: string, approvals: readonly Approval[]) {
    const rows = await approveTools(options, principal, await serverOf(principal, id), approvals)
    servers.forget(principal.tenantId)
    return await present(principal, id, rows)
  }

  app.get(
    '/v1/mcp-servers/:id/tools',
    {
      config: { access: 'reader', errors: ['not_found'] },
      schema: {
        tags: [tag],
        operationId: 'listMcpTools',
        summary: 'List the tools of an MCP server',
        description:
          'By name, with the newest definition, what was approved, where they differ, and what should be looked at. Also those that the server does not list any more, if somebody decided about them.',
        params: ById,
        response: { 200: McpToolList },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { id } = await serverOf(principal, request.params.id)
      return { data: await present(principal, id, await listTools(db, principal.tenantId, id)) }
    },
  )

  app.post(
    '/v1/mcp-servers/:id/tools/:name/approve',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      preValidation: allowNoBody,
      schema: {
        tags: [tag],
        operationId: 'approveMcpTool',
        summary: 'Approve a tool',
        description:
          'Its newest definition is what callers are shown from now on, within a second; a later one has to be approved again. Send the `hash` of the definition that you looked at. The approval is an entry of the record. Approving again is fine.',
        params: ToolParams,
        body: ApproveTool,
        response: { 200: McpTool },
      },
    },
    async (request) => {
      const { id, name } = request.params
      const approval = { name, hash: request.body.hash ?? null }
      const [tool] = await approve(principalOf(request), id, [approval])
      return requireOne(tool)
    },
  )

  app.post(
    '/v1/mcp-servers/:id/tools/:name/block',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags: [tag],
        operationId: 'blockMcpTool',
        summary: 'Block a tool',
        description:
          'Nobody may call it, whatever `pinning` says and however it changes, until it is approved. An entry of the record. Blocking again is fine.',
        params: ToolParams,
        response: { 200: McpTool },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { id, name } = request.params
      const rows = await blockTool(options, principal, await serverOf(principal, id), name)
      servers.forget(principal.tenantId)
      const [tool] = await present(principal, id, rows)
      return requireOne(tool)
    },
  )

  app.post(
    '/v1/mcp-servers/:id/approve',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags: [tag],
        operationId: 'approveMcpTools',
        summary: 'Approve many tools',
        description:
          'All of them or none: one that has changed since is a 409, and nothing is approved. Each approval is an entry of the record.',
        params: ById,
        body: ApproveTools,
        response: { 200: McpToolList },
      },
    },
    async (request) => ({
      data: await approve(principalOf(request), request.params.id, request.body.tools),
    }),
  )
}

function requireOne(tool: McpTool | undefined): McpTool {
  if (!tool) throw new Error('a decision about a tool gives that tool')
  return tool
}
