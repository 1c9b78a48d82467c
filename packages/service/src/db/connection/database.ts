import { Socket } from 'node:net'
import { type Generated, Kysely, PostgresDialect, type Selectable, Transaction } from 'kysely'
import pg from 'pg'
import { wasPaused } from '../../shared/deadline.js'
import type { BatchTables } from '../tables/batch-tables.js'
import type { CallTables } from '../tables/call-tables.js'
import type { ComplianceTables } from '../tables/compliance-tables.js'
import type { ContentTables } from '../tables/content-tables.js'
import type { JobTables } from '../tables/job-tables.js'
import type { ManagementTables } from '../tables/management-tables.js'
import type { McpTables } from '../tables/mcp-tables.js'
import type { ProviderTables } from '../tables/provider-tables.js'
import type { RepeatTables } from '../tables/repeat-tables.js'
import type { SessionTables } from '../tables/session-tables.js'
import type { WebhookTables } from '../tables/webhook-tables.js'

type Role = 'member' | 'auditor' | 'manager'

interface TenantsTable {
  id: string
  name: string
  created_at: Generated<Date>
}

interface MembersTable {
  tenant_id: string
  user_id: string
  name: string | null
  email: string | null
  team_id: string | null
  role: Generated<Role>
  status: Generated<'active' | 'suspended'>
  allowed_models: string[] | null
  allowed_tools: string[] | null
  budget_cap_nanos: number | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  removed_at: Date | null
}

interface TeamsTable {
  id: string
  tenant_id: string
  name: string
  budget_pool_nanos: number
  allowed_tools: string[] | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
}

interface KeysTable {
  id: string
  tenant_id: string
  name: string
  role: Generated<Role>
  user_id: string | null
  team_id: string | null
  rpm_limit: number | null
  limits_since: Generated<number>
  tpm_limit: number | null
  allowed_models: string[] | null
  allowed_tools: string[] | null
  hash: Buffer
  hint: string
  metadata: Generated<Record<string, string>>
  created_at: Generated<Date>
  created_by: string
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
}

interface SigningKeysTable {
  id: string
  public_key: Buffer
  created_at: Generated<Date>
  retired_at: Date | null
}

interface RecordHeadsTable {
  tenant_id: string
  size: Generated<number>
  prev: Buffer
  frontier: Generated<Buffer>
  /** The writer that others leave the head to, and until when. */
  turn_of: string | null
  turn_until: Date | null
}

interface ReceiptsTable {
  tenant_id: string
  seq: number
  request_id: string
  ts: Date
  canonical: string
  leaf_hash: Buffer
  commitment_key: Buffer | null
}

interface SealsTable {
  tenant_id: string
  size: number
  key_id: string
  note: string
  created_at: Generated<Date>
}

interface OpenCallsTable {
  id: string
  tenant_id: string
  /** Null: a line of a batch, which belongs to no process. */
  process_id: string | null
  draft: string
  commitment_key: Buffer | null
  batch_id: string | null
}

interface ProcessesTable {
  id: string
  started_at: Generated<Date>
  seen_at: Generated<Date>
  absent_since: Date | null
}

interface RecordNodesTable {
  tenant_id: string
  level: number
  index: number
  hash: Buffer
}

interface RecordClosingsTable {
  tenant_id: string
  size: number
  prev: Buffer
  frontier: Buffer
  note: string
  created_at: Generated<Date>
}

interface InstanceTable {
  id: string
  cursor_secret: Buffer
  master_key_id: string | null
}

interface DataKeysTable {
  id: Buffer
  wrapped: Buffer
  master_key_id: string
  created_at: Generated<Date>
}

export interface Tables
  extends ManagementTables,
    ComplianceTables,
    WebhookTables,
    CallTables,
    ContentTables,
    ProviderTables,
    RepeatTables,
    BatchTables,
    JobTables,
    McpTables,
    SessionTables {
  instance: InstanceTable
  data_keys: DataKeysTable
  tenants: TenantsTable
  teams: TeamsTable
  members: MembersTable
  keys: KeysTable
  signing_keys: SigningKeysTable
  record_heads: RecordHeadsTable
  receipts: ReceiptsTable
  seals: SealsTable
  open_calls: OpenCallsTable
  processes: ProcessesTable
  record_nodes: RecordNodesTable
  record_closings: RecordClosingsTable
}

export type KeyRow = Selectable<KeysTable>
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/** One statement of a pipelined transaction; a name lets the server keep its plan. */
export interface Statement {
  name?: string
  text: string
  values: unknown[]
  /** Gets the rows that it gave, once its transaction is known to be committed. Must not throw. */
  onCommitted?(rows: Record<string, unknown>[]): void
}

const int8 = 20

/** bigint columns hold counts and nano-dollars below 2^53: plain numbers are exact. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 && format !== 'binary' ? readSafeInteger : pg.types.getTypeParser(oid, format),
}

function readSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`a number of the database is too large: ${text}`)
  return value
}

export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    types,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'tallystick',
  }
}

/** Joins the caller's transaction, or begins one: what it does is kept whole or not at all either way. */
export async function inTransaction<T>(db: Db, act: (tx: Tx) => Promise<T>): Promise<T> {
  return db instanceof Transaction ? await act(db) : await db.transaction().execute(act)
}

/** Several reads that see the database as of one moment. Short ones only: what is deleted meanwhile cannot be cleared away. */
export async function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await snapshot.execute(read)
}

/** Connections in use and idle, and work that waits for one. */
export interface PoolState {
  in_use: number
  idle: number
  waiting: number
}

export interface Database {
  db: Db
  connections(): PoolState
  /** From here on a server that does not answer is given up sooner: nobody but a service that ends waits for it. */
  hurry(): void
  close(): Promise<void>
}

// No query of ours takes this long without an answer. An idle connection is closed sooner: it is silent, too.
const silenceMs = 15_000
const idleMs = 10_000
const hurriedMs = 2_000

/** TCP reports a server that froze, or that was cut off, only after hours. So a connection without an answer is closed. */
export function createSocketWithTimeout(withinMs: number = silenceMs): Socket {
  const socket = new Socket()
  const silence = () => Object.assign(new Error('The database does not answer'), { code: 'ETIMEDOUT' })
  return socket.setTimeout(withinMs, () => socket.destroy(silence()))
}

const maxConnections = 10

export interface DatabaseOptions {
  /** Connections at most. */
  max?: number
  /** How long a query may be without an answer. */
  answerWithinMs?: number
}

interface Connections {
  connect(): Promise<pg.PoolClient>
}

const pools = new WeakMap<Db, Connections>()

/** What the database takes its connections from; null for a transaction. */
export const poolOf = (db: Db): Connections | null => pools.get(db) ?? null

/**
 * A connection of the pool. Its time for one goes on while this process is paused: who waited then would be told that there is none,
 * before the one that is there can be given. After a pause it is asked once more.
 */
async function connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
  const startedMs = performance.now()
  const timeoutMs = pool.options.connectionTimeoutMillis ?? Number.POSITIVE_INFINITY
  try {
    return await pool.connect()
  } catch (error) {
    if (!wasPaused(startedMs, timeoutMs)) throw error
    return await pool.connect()
  }
}

export function openDatabase(
  url: string,
  onError: (error: Error) => void,
  { max = maxConnections, answerWithinMs = silenceMs }: DatabaseOptions = {},
): Database {
  // Bounded: connections of the pool, whose size is set.
  const sockets = new Set<Socket>()
  let isHurried = false
  function openSocket(): Socket {
    const socket = createSocketWithTimeout(answerWithinMs)
    if (isHurried) socket.setTimeout(hurriedMs)
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  const pool = new pg.Pool({
    ...connectionSettings(url),
    stream: openSocket,
    max,
    idleTimeoutMillis: idleMs,
  })
  // An idle connection that breaks (server restarted) is reported here; the pool replaces it by itself.
  pool.on('error', (error) => {
    if (!isHurried) onError(error)
  })
  // One that breaks in use fails its query, which reports it; with nobody listening it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const connections = { connect: () => connectTo(pool), end: () => pool.end() }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
  pools.set(db, connections)
  return {
    db,
    connections: () => ({
      in_use: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    hurry() {
      isHurried = true
      pool.options.connectionTimeoutMillis = hurriedMs
      for (const socket of sockets) socket.setTimeout(hurriedMs)
    },
    close: () => db.destroy(),
  }
}
