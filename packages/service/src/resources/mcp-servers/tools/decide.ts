import { type Db, inBoundedTransaction, type Tx } from '../../../db/index.js'
import type { RecordEvent } from '../../../record/index.js'
import { conflict, notFound } from '../../../shared/errors.js'
import { type Actor, recordChanges } from '../../audit/index.js'
import { writeApprover } from '../present.js'
import { listToolsNamed, lockListing, markApproved, markBlocked, pinOf, type ToolRow } from '../store.js'
import { stateOf } from './pins.js'

/** The server of the tool. */
export interface DecidedServer {
  id: string
  tenantId: string
  name: string
}

export interface DecisionParts {
  db: Db
  recordEvent: RecordEvent
}

/** A null `hash` means the newest definition. */
export interface Approval {
  name: string
  hash: string | null
}

/** Approves all of the tools or none. Tools that are already approved are not recorded again. */
export async function approveTools(
  { db, recordEvent }: DecisionParts,
  actor: Actor,
  server: DecidedServer,
  approvals: readonly Approval[],
): Promise<ToolRow[]> {
  return await inBoundedTransaction(db, async (tx) => {
    const rows = await lockTools(
      tx,
      server,
      approvals.map(({ name }) => name),
    )
    for (const approval of approvals) requireApprovable(rows.get(approval.name), approval)
    const waiting = [...rows.values()].filter((row) => stateOf(pinOf(row)) !== 'approved')
    await decide(tx, { recordEvent, actor, server, verb: 'approve', rows: waiting }, () =>
      markApproved(tx, server, namesOf(waiting), writeApprover(actor)),
    )
    return [...(await lockTools(tx, server, [...rows.keys()])).values()]
  })
}

export async function blockTool(
  { db, recordEvent }: DecisionParts,
  actor: Actor,
  server: DecidedServer,
  name: string,
): Promise<ToolRow[]> {
  return await inBoundedTransaction(db, async (tx) => {
    const rows = await lockTools(tx, server, [name])
    const waiting = [...rows.values()].filter(({ blocked }) => !blocked)
    await decide(tx, { recordEvent, actor, server, verb: 'block', rows: waiting }, () =>
      markBlocked(tx, server, namesOf(waiting)),
    )
    return [...(await lockTools(tx, server, [name])).values()]
  })
}

const namesOf = (rows: readonly ToolRow[]): string[] => rows.map(({ name }) => name)

/** Locks tools by name. The listing is locked too, so that a decision is about the server's latest listing. */
async function lockTools(
  tx: Tx,
  server: DecidedServer,
  names: readonly string[],
): Promise<Map<string, ToolRow>> {
  await lockListing(tx, server)
  const rows = await listToolsNamed(tx, server, names)
  const found = new Map(rows.map((row) => [row.name, row]))
  if (names.some((name) => !found.has(name))) throw notFound('tool')
  return found
}

function requireApprovable(row: ToolRow | undefined, { name, hash }: Approval): void {
  if (!row) throw notFound('tool')
  if (hash !== null && hash !== row.seen_hash)
    throw conflict(
      `The tool ${name} has changed since: its newest definition is ${row.seen_hash}. Look at it, and approve that one`,
    )
  if (row.gone_at !== null) throw conflict(`The server does not list the tool ${name} any more`)
  if (row.fault !== null) throw conflict(`The tool ${name} cannot be approved. ${row.fault}`)
}

interface Decision {
  recordEvent: RecordEvent
  actor: Actor
  server: DecidedServer
  verb: 'approve' | 'block'
  rows: readonly ToolRow[]
}

/** Makes the change, and records each tool in the audit log and in the record. */
async function decide(
  tx: Tx,
  { recordEvent, actor, server, verb, rows }: Decision,
  change: () => Promise<void>,
): Promise<void> {
  if (rows.length === 0) return
  await change()
  const who = {
    ...(actor.keyId !== null && { key: actor.keyId }),
    ...(actor.userId !== null && { user: actor.userId }),
  }
  const changes = rows.map((row) => ({
    action: `mcp_tool.${verb}` as const,
    subjectId: `${server.name}__${row.name}`,
    before: { server: server.id, state: stateOf(pinOf(row)), approvedHash: row.approved_hash },
    after: {
      server: server.id,
      state: verb === 'approve' ? 'approved' : 'blocked',
      approvedHash: verb === 'approve' ? row.seen_hash : row.approved_hash,
    },
  }))
  await recordChanges(tx, actor, changes)
  for (const row of rows)
    await recordEvent(tx, server.tenantId, {
      event: `mcp_tool.${verb}`,
      subject: `${server.name}__${row.name}@${row.seen_hash}`,
      ...who,
    })
}
