import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from '../../errors.js'
import type { CallTrace } from '../../governed/index.js'
import { type Principal, userSuspended } from '../../http/index.js'
import { type JsonObject, parseObject } from '../../json/index.js'
import { type Entitlements, scopeIdsOf } from '../../modules/keys/index.js'
import type { McpServerTerms, PinnedTool } from '../../modules/mcp-servers/index.js'
import { toolPoliciesOf } from '../../modules/policies/index.js'
import { governTool, type ToolCallParts } from '../call/govern-tool.js'
import type { JudgeListing } from '../call/judge-listing.js'
import { mayCall, mayUseServer } from '../call/may-call.js'
import { unknownTool } from '../call/rpc-error.js'
import type { FaceRules } from './contract.js'

/** What callers may see and do, by their key, its lists and the policies. */
export function createFaceRules(options: {
  call: ToolCallParts
  judgeListing: JudgeListing
  /** Begins the trace of a call. Null when traces are off. */
  beginTrace: ((headers: IncomingHttpHeaders) => CallTrace) | null
}): FaceRules {
  const { call, judgeListing, beginTrace } = options

  async function entitlementsOf(principal: Principal): Promise<Entitlements> {
    const entitlements = await call.entitlementsOf(principal)
    if (entitlements === null) throw unauthorized()
    return entitlements
  }

  /** Null where the policies leave nothing of it, or not the name that it is called by. */
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
        mayUseServer: (server: McpServerTerms) => mayUseServer(server, rights),
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
    async govern(request, principal) {
      const { method, server, name } = request
      const tool = method === 'tools/call' ? server.tools.find((each) => each.name === name) : undefined
      // What may not be shown may not be called.
      if (
        tool !== undefined &&
        tool.definition !== null &&
        (await shownDefinition(await entitlementsOf(principal), tool)) === null
      )
        throw unknownTool(`Unknown tool: ${name}`)
      return await governTool(request, principal, beginTrace?.(request.headers) ?? null, call)
    },
  }
}
