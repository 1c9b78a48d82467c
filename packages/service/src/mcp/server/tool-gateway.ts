import type { IncomingHttpHeaders } from 'node:http'
import { type JsonObject, parseObject } from '@tallystick/record/json'
import type { CallTrace } from '../../calls/core/index.js'
import {
  createToolCalls,
  type JudgeListing,
  mayCall,
  mayUseServer,
  type ToolCallParts,
  unknownTool,
} from '../../calls/tool/index.js'
import { type Principal, userSuspended } from '../../http/index.js'
import { toolPoliciesOf } from '../../policies/index.js'
import { type Entitlements, scopeIdsOf } from '../../resources/keys/index.js'
import type { PinnedTool, ToolServer } from '../../resources/mcp-servers/index.js'
import { unauthorized } from '../../shared/errors.js'
import type { ToolGateway } from './contract.js'

/** Creates the gateway for tools. Permissions follow from the key, its allowlists and the policies. */
export function createToolGateway(options: {
  call: ToolCallParts
  judgeListing: JudgeListing
  /** Begins the trace of a call. Null when tracing is off. */
  beginTrace: ((headers: IncomingHttpHeaders) => CallTrace) | null
}): ToolGateway {
  const { call, judgeListing, beginTrace } = options
  const callTool = createToolCalls(call)

  async function entitlementsOf(principal: Principal): Promise<Entitlements> {
    const entitlements = await call.entitlementsOf(principal)
    if (entitlements === null) throw unauthorized()
    return entitlements
  }

  /** Returns the definition for the caller. Null when policies refuse it or change its name. */
  async function shownDefinition(entitlements: Entitlements, tool: PinnedTool): Promise<JsonObject | null> {
    if (tool.definition === null) return null
    const json = JSON.stringify(tool.definition)
    const judged = await judgeListing(entitlements, json)
    if (judged === json) return tool.definition
    const shown = judged === null ? null : parseObject(judged)
    return shown?.name === tool.name ? shown : null
  }

  return {
    async accessOf(principal) {
      const entitlements = await entitlementsOf(principal)
      if (entitlements.user?.suspended === true) throw userSuspended()
      const policySet = await call.policySets.current(entitlements.tenantId)
      const selection = toolPoliciesOf(policySet.selectFor(scopeIdsOf(entitlements)))
      const rights = { entitlements, selection }
      return {
        mayUseServer: (server: ToolServer) => mayUseServer(server, rights),
        async toolsOf(server) {
          const shown: JsonObject[] = []
          for (const tool of server.tools) {
            if (!mayCall(server, tool, rights)) continue
            const definition = await shownDefinition(entitlements, tool)
            if (definition !== null) shown.push(definition)
          }
          return shown
        },
        judgeListing: (_, json) => judgeListing(entitlements, json),
      }
    },
    async callTool(request, principal) {
      const { method, server, name } = request
      const tool = method === 'tools/call' ? server.tools.find((each) => each.name === name) : undefined
      // A tool that must not be shown must not be called either.
      if (
        tool !== undefined &&
        tool.definition !== null &&
        (await shownDefinition(await entitlementsOf(principal), tool)) === null
      )
        throw unknownTool(`Unknown tool: ${name}`)
      return await callTool(request, principal, beginTrace?.(request.headers) ?? null)
    },
  }
}
