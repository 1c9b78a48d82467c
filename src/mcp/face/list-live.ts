import type { McpServerTerms } from '../../modules/mcp-servers/index.js'
import type { WaitForTurn } from '../../turns.js'
import { mayPrompt, mayRead } from '../call/may-read.js'
import type { CallerAccess } from './contract.js'
import { changeMembers } from './edit-text.js'
import type { FaceCaller } from './face-caller.js'
import { type ListingMethod, type LiveItem, type LiveListings, listingMethods } from './live-listings.js'
import { attribute, composeName, composeUri } from './names.js'
import type { ListedItem } from './pages.js'

/** Resources or prompts of the servers of a caller. Where it sees several, those that do not answer are left out. */
export async function listLive(
  method: ListingMethod,
  servers: readonly McpServerTerms[],
  access: CallerAccess,
  caller: FaceCaller,
  parts: { listings: LiveListings; waitForTurn: WaitForTurn },
): Promise<ListedItem[]> {
  const listed = await Promise.all(
    servers.map(async (server) => {
      const [patterns, isAllowed] =
        method === 'prompts/list' ? [server.prompts, mayPrompt] : [server.resources, mayRead]
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

/** What the policies leave of it, as long as it is called what it was called. */
async function judge(
  server: McpServerTerms,
  { name, json }: LiveItem,
  method: ListingMethod,
  access: CallerAccess,
): Promise<string | null> {
  const judged = await access.judgeListing(server, json)
  if (judged === null || judged === json) return judged
  const { [listingMethods[method].name]: called } = JSON.parse(judged)
  return called === name ? judged : null
}

async function toListed(
  method: ListingMethod,
  server: McpServerTerms,
  { name, json }: LiveItem,
  caller: FaceCaller,
  { waitForTurn }: { waitForTurn: WaitForTurn },
): Promise<ListedItem> {
  const composed = method === 'prompts/list' ? composeName(server.name, name) : composeUri(server.name, name)
  if (caller.server !== null) return { key: composed, json }
  const spoken = (text: string) =>
    text.startsWith('"') ? JSON.stringify(attribute(server.name, JSON.parse(text))) : text
  const changes = {
    title: spoken,
    description: spoken,
    [listingMethods[method].name]: () => JSON.stringify(composed),
  }
  return { key: composed, json: await changeMembers(json, changes, waitForTurn) }
}
