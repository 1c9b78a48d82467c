import { mayReadResource, mayUsePrompt } from '../../../calls/tool/index.js'
import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { McpCaller } from '../caller.js'
import type { CallerAccess } from '../contract.js'
import { changeMembers } from '../protocol/edit-json.js'
import { attribute, composeName, composeUri } from '../protocol/names.js'
import type { ListedItem } from './pages.js'
import {
  type ListingMethod,
  listingMethods,
  type ServerItem,
  type ServerListings,
} from './server-listings.js'

/** Lists the resources or prompts of the caller's servers. When there are several, servers that do not answer are left out. */
export async function listServerItems(
  method: ListingMethod,
  servers: readonly ToolServer[],
  access: CallerAccess,
  caller: McpCaller,
  parts: { listings: ServerListings; yieldToEventLoop: YieldToEventLoop },
): Promise<ListedItem[]> {
  const listed = await Promise.all(
    servers.map(async (server) => {
      const [patterns, isAllowed] =
        method === 'prompts/list' ? [server.prompts, mayUsePrompt] : [server.resources, mayReadResource]
      if (patterns.length === 0) return []
      const items = parts.listings.of(server, method, caller)
      const known = caller.server === null ? await items.catch(() => []) : await items
      const shown: ListedItem[] = []
      for (const item of known) {
        const judged = isAllowed(item.name, patterns) ? await judge(server, item, method, access) : null
        if (judged !== null)
          shown.push(await toListed(method, server, { ...item, json: judged }, caller, parts))
      }
      return shown
    }),
  )
  return listed.flat()
}

/** Returns the redacted item, or null when policies refuse it or change its name. */
async function judge(
  server: ToolServer,
  { name, json }: ServerItem,
  method: ListingMethod,
  access: CallerAccess,
): Promise<string | null> {
  const judged = await access.judgeListing(server, json)
  if (judged === null || judged === json) return judged
  const { [listingMethods[method].name]: judgedName } = JSON.parse(judged)
  return judgedName === name ? judged : null
}

async function toListed(
  method: ListingMethod,
  server: ToolServer,
  { name, json }: ServerItem,
  caller: McpCaller,
  { yieldToEventLoop }: { yieldToEventLoop: YieldToEventLoop },
): Promise<ListedItem> {
  const composed = method === 'prompts/list' ? composeName(server.name, name) : composeUri(server.name, name)
  if (caller.server !== null) return { key: composed, json }
  const addServer = (text: string) =>
    text.startsWith('"') ? JSON.stringify(attribute(server.name, JSON.parse(text))) : text
  const changes = {
    title: addServer,
    description: addServer,
    [listingMethods[method].name]: () => JSON.stringify(composed),
  }
  return { key: composed, json: await changeMembers(json, changes, yieldToEventLoop) }
}
