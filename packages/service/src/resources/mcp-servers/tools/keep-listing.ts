import { type Db, inTransaction } from '../../../db/index.js'
import { recordToolChanges } from '../../webhooks/index.js'
import {
  deleteTools,
  isServedAt,
  listTools,
  lockListing,
  markToolsGone,
  pinOf,
  updateListing,
  writeSeenTools,
} from '../store.js'
import type { McpListing, McpTransport } from '../tool-server.js'
import { readListing } from './definition.js'
import { compareListing, type ListingChanges, type Pinning } from './pins.js'

/** The server of the listing. */
export interface ListedServer {
  id: string
  tenantId: string
  name: string
  transport: McpTransport
  pinning: Pinning
}

// A server's own description is shown to people: a line or two.
const maxMessageChars = 500
const maxTextChars = 16_384

export interface KeepOptions {
  /** True when it was listed with one user's credential: other users may see more. */
  isOfOneUser?: boolean
}

/**
 * Compares a listing with the stored tools, and stores what is new, in one transaction: a concurrent listing is
 * compared with the result. Each change is reported once; a first listing is not a change.
 */
export async function keepListing(
  db: Db,
  server: ListedServer,
  listing: McpListing,
  { isOfOneUser = false }: KeepOptions = {},
): Promise<void> {
  const read = readListing(listing.tools)
  if ('refusal' in read) return await noteFailure(db, server, read.refusal)
  await inTransaction(db, async (tx) => {
    if (!(await isStillThere(tx, server))) return
    const before = await lockListing(tx, server)
    const rows = await listTools(tx, server.tenantId, server.id)
    const found = compareListing(rows.map(pinOf), read)
    const compared = isOfOneUser ? withoutGone(found) : found
    if (compared.seen.length > 0) await writeSeenTools(tx, server, compared.seen)
    await markToolsGone(tx, server, compared.gone)
    await deleteTools(tx, server, compared.forgotten)
    await updateListing(tx, server, {
      protocol_version: toPlainText(listing.protocolVersion, 64),
      server_info: JSON.stringify(readServerInfo(listing.serverInfo)),
      capabilities: writeBounded(listing.capabilities),
      instructions: listing.instructions === null ? null : writeBounded(listing.instructions),
      status: 'ok',
      status_message: read.leftOut,
      refreshed_at: new Date(),
    })
    if (before.refreshed_at !== null && server.pinning !== 'off')
      await recordToolChanges(tx, server, compared.changes)
  })
}

const withoutGone = (found: ListingChanges): ListingChanges => ({
  ...found,
  gone: [],
  forgotten: [],
  changes: found.changes.filter(({ state }) => state !== 'gone'),
})

/** Records a failure; the previous listing is kept. The message is this service's own. */
export async function noteFailure(db: Db, server: ListedServer, message: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await isStillThere(tx, server))) return
    await lockListing(tx, server)
    await updateListing(tx, server, {
      status: 'failing',
      status_message: toPlainText(message, maxMessageChars),
    })
  })
}

const isStillThere = async (tx: Parameters<typeof isServedAt>[0], server: ListedServer): Promise<boolean> =>
  isOfFile(server) ||
  (server.transport.type === 'http' && (await isServedAt(tx, server, server.transport.url)))

export const isOfFile = ({ id }: { id: string }): boolean => id.startsWith('file:')

const readServerInfo = ({ name, version }: Record<string, unknown>) => ({
  name: typeof name === 'string' ? toPlainText(name, 200) : null,
  version: typeof version === 'string' ? toPlainText(version, 200) : null,
})

/** JSON that is too long is not stored, because half of it would be invalid. */
function writeBounded(value: unknown): string | null {
  const text = JSON.stringify(value)
  return text.length > maxTextChars ? null : text
}

/** Returns one line that a person can read and the database can store. */
const toPlainText = (text: string, maxChars: number): string =>
  text
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .slice(0, maxChars)
    .toWellFormed()
    .trim()
