import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { createEventRecorder, type LedgerOptions, noMarks } from '../../record/index.js'
import { operatorOf } from '../../resources/audit/index.js'
import {
  approveTools,
  blockTool,
  createServer,
  keepListing,
  noteFailure,
} from '../../resources/mcp-servers/index.js'
import type { Secrets } from '../../secrets/index.js'
import { type DemoTool, type DemoToolServer, toolServers } from '../company/tool-servers.js'

export interface ToolOptions {
  db: Db
  secrets: Secrets
  signingKey: LedgerOptions['signingKey']
  now: Date
}

/** A manager, and the key that they used. */
interface Approver {
  keyId: string
  userId: string
}

/** Servers with their tools: what they listed once and was approved, and what they list today. */
export async function fillTools(options: ToolOptions, tenantId: string, approver: Approver): Promise<void> {
  for (const server of toolServers) await furnishServer(options, tenantId, approver, server)
}

async function furnishServer(
  { db, secrets, signingKey, now }: ToolOptions,
  tenantId: string,
  approver: Approver,
  { tools, failure, protocolVersion, version, ...settings }: DemoToolServer,
): Promise<void> {
  const operator = operatorOf(tenantId)
  const { id, name, url } = await createServer({ db, secrets }, operator, settings)
  const server = { id, tenantId, name, transport: { type: 'http' as const, url }, pinning: 'block' as const }
  const list = (definitions: DemoTool['definition'][]) =>
    keepListing(db, server, {
      protocolVersion,
      serverInfo: { name: `${name}-mcp`, version },
      capabilities: { tools: { listChanged: true } },
      instructions: null,
      tools: definitions,
    })
  const recordEvent = createEventRecorder({ marks: noMarks, signingKey: () => signingKey, now: () => now })
  const manager = { ...operator, ...approver }
  const isOld = ({ approved, isBlocked }: DemoTool) => approved !== null || isBlocked === true
  await list(tools.filter(isOld).map(({ approved, definition }) => approved ?? definition))
  const decided = tools
    .filter(({ approved }) => approved !== null)
    .map((tool) => ({ name: tool.name, hash: null }))
  await approveTools({ db, recordEvent }, manager, server, decided)
  for (const tool of tools)
    if (tool.isBlocked) await blockTool({ db, recordEvent }, manager, server, tool.name)
  await list(tools.filter(({ isGone }) => !isGone).map(({ definition }) => definition))
  if (failure !== null) await noteFailure(db, server, failure)
  await giveTimes(db, server, { now, isFailing: failure !== null })
}

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

/** Sets the times: tools were approved two weeks ago and changed in the last hour. */
async function giveTimes(
  db: Db,
  { id, tenantId }: { id: string; tenantId: string },
  { now, isFailing }: { now: Date; isFailing: boolean },
): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  await sql`update mcp_tools set
      seen_at = case when approved_hash = seen_hash or blocked then ${before(15 * dayMs)} else ${before(38 * minuteMs)} end::timestamptz,
      approved_at = case when approved_at is null then null else ${before(14 * dayMs)}::timestamptz end
    where tenant_id = ${tenantId} and server_id = ${id}`.execute(db)
  // They are asked again in the next century: nobody answers there.
  await sql`update mcp_listings set refreshed_at = ${before((isFailing ? 52 : 3) * minuteMs)}, checked_at = '2100-01-01'
    where tenant_id = ${tenantId} and server_id = ${id}`.execute(db)
}
