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
          'Lists the tools of an MCP server by name, each with its newest and its approved definition, their differences, and parts to review. Tools that the server no longer lists are included if they were approved or blocked.',
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
          'Approves the newest definition of a tool. Callers get this definition within a second, and a later one must be approved again. Send the `hash` of the definition that you reviewed. The approval is added to the record. Approving an approved definition also succeeds.',
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
          'Blocks a tool. Nobody can call it until it is approved, whatever `pinning` is and even if its definition changes. The block is added to the record. Blocking a blocked tool also succeeds.',
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
        summary: 'Approve several tools',
        description:
          'Approves several tools, all or none. If a definition has changed since you reviewed it, the request fails with 409 and nothing is approved. Each approval is added to the record.',
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
