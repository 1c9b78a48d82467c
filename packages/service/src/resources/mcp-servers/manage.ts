import { type Db, inTransaction, newId, type Tx } from '../../db/index.js'
import { toNanos } from '../../http/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import { conflict, notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { readAuth, requireHeaders } from './check.js'
import { presentSettings } from './present.js'
import { type CreateMcpServer, defaults, type NewAuth, type UpdateMcpServer } from './schema.js'
import { openHeaders, sealClientSecret, sealHeaders } from './secrets.js'
import {
  countCredentials,
  deleteCredentials,
  insertServer,
  lockServer,
  markServerDeleted,
  requireRoomForServer,
  type ServerColumns,
  type ServerRow,
  updateServerRow,
} from './store.js'
import type { McpAuth } from './tool-server.js'

export interface ServerStore {
  db: Db
  secrets: Secrets
}

/** The caller has checked the name and the address. */
export async function createServer(
  { db, secrets }: ServerStore,
  actor: Actor,
  input: CreateMcpServer,
): Promise<ServerRow> {
  const { tenantId } = actor
  const row = { id: newId('mcp'), tenant_id: tenantId, name: input.name }
  const headers = input.headers ?? {}
  const newAuth: NewAuth = input.auth ?? { type: 'none' }
  requireHeaders(headers)
  const columns: ServerColumns = {
    url: input.url,
    auth: readAuth(newAuth, Object.keys(headers)),
    sealed_headers: await sealHeaders(secrets, row, headers),
    sealed_client_secret: newAuth.clientSecret
      ? await sealClientSecret(secrets, row, newAuth.clientSecret)
      : null,
    ...readSettings({ ...defaults, ...input }),
  }
  return await inTransaction(db, async (tx) => {
    await requireRoomForServer(tx, tenantId)
    const created = await insertServer(tx, row, columns)
    await recordChange(tx, actor, {
      action: 'mcp_server.create',
      subjectId: row.id,
      before: null,
      after: await presentSettings(created, secrets),
    })
    return created
  })
}

type Settings = Required<Pick<CreateMcpServer, keyof typeof defaults>>

const readSettings = (settings: Settings) => ({
  enabled: settings.enabled,
  open: settings.open,
  pinning: settings.pinning,
  price_nanos: toNanos(settings.pricePerCallUsd, 'pricePerCallUsd'),
  rpm_limit: settings.rpmLimit,
  timeout_ms: settings.timeoutMs,
  max_result_bytes: settings.maxResultBytes,
  resources: settings.resources,
  prompts: settings.prompts,
})

/** The caller has checked the address. */
export async function changeServer(
  { db, secrets }: ServerStore,
  actor: Actor,
  id: string,
  input: UpdateMcpServer,
): Promise<ServerRow> {
  const serverKey = { tenantId: actor.tenantId, id }
  if (input.headers) requireHeaders(input.headers)
  return await inTransaction(db, async (tx) => {
    const row = await requireServerRow(tx, serverKey)
    const before = await presentSettings(row, secrets)
    const auth = await authAfter(row, input, secrets)
    if (isElsewhere(row, input)) await requireNoSecrets(tx, row, input)
    // A credential is for one address: another path of the same host may belong to somebody else.
    const isMoved = input.url !== undefined && input.url !== row.url
    if (isMoved || !isSameAccount(row.auth, auth)) await deleteCredentials(tx, serverKey)
    const updated = await updateServerRow(tx, serverKey, {
      ...row,
      ...columnsOf(input),
      auth,
      sealed_headers:
        input.headers === undefined
          ? row.sealed_headers
          : await sealHeaders(secrets, row, input.headers ?? {}),
      sealed_client_secret: await clientSecretAfter(row, auth, input, secrets),
    })
    await recordChange(tx, actor, {
      action: 'mcp_server.update',
      subjectId: id,
      before,
      after: await presentSettings(updated, secrets),
    })
    return updated
  })
}

/** Returns the columns that a change sets, except for secrets. */
function columnsOf(input: UpdateMcpServer): Partial<ServerColumns> {
  const { url, pricePerCallUsd, rpmLimit, timeoutMs, maxResultBytes } = input
  const { enabled, open, pinning, resources, prompts } = input
  return {
    ...(url !== undefined && { url }),
    ...(enabled !== undefined && { enabled }),
    ...(open !== undefined && { open }),
    ...(pinning !== undefined && { pinning }),
    ...(pricePerCallUsd !== undefined && { price_nanos: toNanos(pricePerCallUsd, 'pricePerCallUsd') }),
    ...(rpmLimit !== undefined && { rpm_limit: rpmLimit }),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(maxResultBytes !== undefined && { max_result_bytes: maxResultBytes }),
    ...(resources !== undefined && { resources }),
    ...(prompts !== undefined && { prompts }),
  }
}

/** Headers and `auth` must fit each other, whichever of them is changed. */
async function authAfter(row: ServerRow, input: UpdateMcpServer, secrets: Secrets): Promise<McpAuth> {
  const headers = input.headers === undefined ? await openHeaders(secrets, row) : (input.headers ?? {})
  const names = headers === undecryptable ? [] : Object.keys(headers)
  return readAuth(input.auth ?? toInput(row.auth), names)
}

const toInput = (auth: McpAuth): NewAuth =>
  auth.type === 'oauth' ? { ...auth, scopes: [...auth.scopes] } : auth

async function clientSecretAfter(
  row: ServerRow,
  auth: McpAuth,
  { auth: input }: UpdateMcpServer,
  secrets: Secrets,
): Promise<Buffer | null> {
  if (auth.type !== 'oauth' || input?.clientSecret === null) return null
  if (input?.clientSecret !== undefined) return await sealClientSecret(secrets, row, input.clientSecret)
  return row.sealed_client_secret
}

/** Credentials for one way of authenticating are of no use for another. */
const isSameAccount = (before: McpAuth, after: McpAuth): boolean =>
  before.type === after.type &&
  (before.type !== 'header' || after.type !== 'header' || before.header === after.header) &&
  (before.type !== 'oauth' || after.type !== 'oauth' || before.clientId === after.clientId)

const isElsewhere = (row: ServerRow, { url }: UpdateMcpServer): boolean =>
  url !== undefined && originOf(url) !== originOf(row.url)

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)

/** Secrets cannot be read, so nobody may redirect a secret that somebody else stored to an address of their own. */
async function requireNoSecrets(tx: Tx, row: ServerRow, input: UpdateMcpServer): Promise<void> {
  if (row.sealed_headers !== null && input.headers === undefined)
    throw conflict(
      `The headers of this server were given for ${row.url}. Send them again with its new address, or null to remove them`,
    )
  if (row.sealed_client_secret !== null && input.auth?.clientSecret === undefined)
    throw conflict(
      `The client secret of this server was given for ${row.url}. Send it again with the new address, or null to remove it`,
    )
  const count = await countCredentials(tx, { tenantId: row.tenant_id, id: row.id })
  if (count > 0)
    throw conflict(
      `${count === 1 ? 'One account is' : `${count} accounts are`} connected to ${row.url}. Create a server for the new address, so that everyone connects to it knowingly`,
    )
}

/** Idempotent. */
export async function deleteServer({ db, secrets }: ServerStore, actor: Actor, id: string): Promise<void> {
  const serverKey = { tenantId: actor.tenantId, id }
  await inTransaction(db, async (tx) => {
    const row = await lockServer(tx, serverKey)
    if (!row) throw notFound('MCP server')
    if (row.deleted_at) return
    await markServerDeleted(tx, serverKey)
    await recordChange(tx, actor, {
      action: 'mcp_server.delete',
      subjectId: id,
      before: await presentSettings(row, secrets),
      after: null,
    })
  })
}

async function requireServerRow(tx: Tx, serverKey: { tenantId: string; id: string }): Promise<ServerRow> {
  const row = await lockServer(tx, serverKey)
  if (!row || row.deleted_at) throw notFound('MCP server')
  return row
}
