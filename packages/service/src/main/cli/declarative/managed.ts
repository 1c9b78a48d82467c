import type { Client } from './client.js'
import { isObject, type Json, stringOf } from './json.js'

const path = '/v1/managed-resources'

/** What the service keeps about an object that files describe. */
export interface ManagedEntry {
  id: string
  set: string
  kind: string
  name: string
  resourceId: string | null
  state: 'applying' | 'applied'
  specHashes: Record<string, string>
  stateHashes: Record<string, string>
  revision: number
  updatedBy: string
  updatedAt: Date
}

type Columns = Partial<Pick<ManagedEntry, 'set' | 'resourceId' | 'state' | 'specHashes' | 'stateHashes'>>

export const listEntries = async (client: Client): Promise<ManagedEntry[]> =>
  (await client.list(path)).map(readEntry)

export const createEntry = async (
  client: Client,
  entry: Pick<ManagedEntry, 'kind' | 'name' | 'set'> & Columns,
): Promise<ManagedEntry> => readEntry(await client.post(path, entry))

/** Fails when another run has changed the entry since it was read. */
export const changeEntry = async (
  client: Client,
  { id, revision }: ManagedEntry,
  columns: Columns,
): Promise<ManagedEntry> =>
  readEntry(await client.patch(`${path}/${id}`, { ifRevision: revision, ...columns }))

export const deleteEntry = (client: Client, { id }: ManagedEntry): Promise<void> =>
  client.delete(`${path}/${id}`)

function readEntry(entry: Json): ManagedEntry {
  return {
    id: stringOf(entry.id),
    set: stringOf(entry.set),
    kind: stringOf(entry.kind),
    name: stringOf(entry.name),
    resourceId: typeof entry.resourceId === 'string' ? entry.resourceId : null,
    state: entry.state === 'applied' ? 'applied' : 'applying',
    specHashes: hashesOf(entry.specHashes),
    stateHashes: hashesOf(entry.stateHashes),
    revision: Number(entry.revision),
    updatedBy: stringOf(entry.updatedBy),
    updatedAt: new Date(stringOf(entry.updatedAt)),
  }
}

const hashesOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([name, hash]) => [name, stringOf(hash)]),
  )
