import { sql } from 'kysely'
import type { Tx } from '../../../db/index.js'
import { insertFound, lockAlerts } from './notify.js'

/** A tool of an MCP server that needs a decision, or is gone. */
export interface ToolChange {
  tool: string
  state: 'changed' | 'new' | 'gone'
  hash: string
  previousHash: string | null
}

interface ToldServer {
  tenantId: string
  id: string
  name: string
}

// A definition that disappears and returns is the same one, which was already reported.
const reportedOnceWithin = '1 year'
// A server can list a thousand tools, and different ones each time. Unreported tools still wait for a decision.
const maxPerHour = 100

/** Notifies a tenant of each change once, in the transaction that stores it. */
export async function recordToolChanges(
  tx: Tx,
  server: ToldServer,
  changes: readonly ToolChange[],
): Promise<void> {
  if (changes.length === 0) return
  const { tenantId, id, name } = server
  await lockAlerts(tx)
  const prefix = `mcp_tool:${id}:`
  const { rows } = await sql<{ told: number }>`
    select count(*)::int as told from alerts
    where tenant_id = ${tenantId} and starts_with(key, ${prefix})
      and created_at > now() - interval '1 hour'`.execute(tx)
  const told = changes.slice(0, Math.max(0, maxPerHour - (rows[0]?.told ?? 0))).map((change) => ({
    key: `${prefix}${change.tool}:${change.state === 'gone' ? 'gone' : 'listed'}:${change.hash}`,
    data: JSON.stringify({
      message: describe(name, change),
      server: { id, name },
      tool: change.tool,
      state: change.state,
      hash: change.hash,
      previous_hash: change.previousHash,
    }),
  }))
  if (told.length === 0) return
  const found = sql`found as (
    select ${tenantId}::text as tenant_id, f.key, 'mcp.tool_changed' as event,
      now() + ${reportedOnceWithin}::interval as keep_until, f.data
    from unnest(${told.map(({ key }) => key)}::text[], ${told.map(({ data }) => data)}::text[]) as f (key, data))`
  await insertFound(tx, found)
}

function describe(server: string, { tool, state }: ToolChange): string {
  const what = `The tool ${tool} of the MCP server ${server}`
  if (state === 'gone') return `${what} is not listed by it any more`
  if (state === 'new') return `${what} is new: somebody has to approve it`
  return `${what} is not what was approved any more: somebody has to look at the difference`
}
