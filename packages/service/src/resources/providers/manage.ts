import { canonicalize } from '@tallystick/record/json'
import { type Db, inTransaction, newId, type Tx } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import { conflict, invalidField, notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import type { LiveProviders, ProviderShape, ProviderTypes } from './live.js'
import { presentStored, stringsOf } from './present.js'
import type { CreateCredential, CreateProvider, Provider, UpdateProvider } from './schema.js'
import { hintOf, openHeaders, openValue, sealHeaders, sealValue } from './secrets.js'
import {
  findProvider,
  insertCredential,
  insertProvider,
  lockProvider,
  markProviderDeleted,
  type ProviderRow,
  requireRoomForProvider,
  type StoredProvider,
  updateProviderRow,
} from './store.js'

export interface ProviderStore {
  db: Db
  secrets: Secrets
  types: ProviderTypes
}

export const shapeOfNew = (input: CreateProvider): ProviderShape => ({
  type: input.type,
  baseUrl: input.baseUrl ?? null,
  dialects: input.dialects ?? null,
  headers: input.headers ?? {},
  auth: input.auth ?? 'own',
  options: input.options ?? {},
  credentials: input.credentials ?? [],
})

/** Returns the settings of a provider after a change; headers that cannot be decrypted are not checked. */
export async function shapeAfter(
  { row, credentials }: StoredProvider,
  input: UpdateProvider,
  secrets: Secrets,
): Promise<ProviderShape> {
  const headers = input.headers ?? (await openHeaders(secrets, row))
  const values = await Promise.all(credentials.map((each) => openValue(secrets, each)))
  return {
    type: row.type,
    baseUrl: input.baseUrl === undefined ? row.base_url : input.baseUrl,
    dialects: input.dialects === undefined ? row.dialects : input.dialects,
    headers: headers === undecryptable ? {} : headers,
    auth: input.auth ?? (row.auth === 'caller' ? 'caller' : 'own'),
    options: input.options ?? stringsOf(row.options),
    credentials: values.flatMap((value) => (value === undecryptable ? [] : [{ value }])),
  }
}

/** Names are unique over both sources, as the tenant sees them. */
export async function requireFreeName(live: LiveProviders, tenantId: string, name: string): Promise<void> {
  if (live.isReserved(name)) throw invalidField('name', `${name} is reserved`)
  const configured = await live.configuredFor(tenantId)
  if (configured.some((each) => each.name === name))
    throw conflict(`There is already a provider called ${name}, in the configuration of this service`)
}

/** The caller has checked the name and the shape. */
export async function createProvider(
  { db, secrets, types }: ProviderStore,
  actor: Actor,
  input: CreateProvider,
): Promise<Provider> {
  const { tenantId } = actor
  const id = newId('prov')
  const sealed = await sealHeaders(secrets, { id, tenant_id: tenantId }, input.headers ?? {})
  return await inTransaction(db, async (tx) => {
    await requireRoomForProvider(tx, tenantId)
    await insertProvider(
      tx,
      { id, tenant_id: tenantId, name: input.name, type: input.type },
      {
        base_url: input.baseUrl ?? null,
        sealed_headers: sealed,
        dialects: input.dialects ?? null,
        timeouts: { ...input.timeouts },
        limits: { ...input.limits },
        options: input.options ?? {},
        auth: input.auth ?? 'own',
        accepted_references: input.references ?? 'issued',
        prices_of: input.pricesOf ?? null,
        enabled: input.enabled ?? true,
      },
    )
    for (const credential of input.credentials ?? []) await addTo(tx, secrets, tenantId, id, credential)
    const created = await presentStored(await readStored(tx, tenantId, id), { secrets, types })
    await recordChange(tx, actor, {
      action: 'provider.create',
      subjectId: id,
      before: null,
      after: withoutState(created),
    })
    return created
  })
}

export async function addTo(
  tx: Tx,
  secrets: Secrets,
  tenantId: string,
  providerId: string,
  { name, value, weight = 1 }: CreateCredential,
): Promise<string> {
  const id = newId('cred')
  const sealed_value = await sealValue(secrets, { id, tenant_id: tenantId }, value)
  await insertCredential(tx, {
    ...{ id, tenant_id: tenantId, provider_id: providerId, name, sealed_value },
    ...{ hint: hintOf(value), weight, deleted_at: null },
  })
  return id
}

/** The caller has checked the shape. */
export async function changeProvider(
  { db, secrets, types }: ProviderStore,
  actor: Actor,
  id: string,
  input: UpdateProvider,
): Promise<void> {
  const { tenantId } = actor
  const sealed = input.headers && (await sealHeaders(secrets, { id, tenant_id: tenantId }, input.headers))
  await inTransaction(db, async (tx) => {
    const row = await requireProviderRow(tx, tenantId, id)
    const before = await presentStored(await readStored(tx, tenantId, id), { secrets, types })
    await updateProviderRow(tx, tenantId, id, {
      base_url: input.baseUrl === undefined ? row.base_url : input.baseUrl,
      sealed_headers: sealed === undefined ? row.sealed_headers : sealed,
      dialects: input.dialects === undefined ? row.dialects : input.dialects,
      timeouts: input.timeouts ? { ...input.timeouts } : row.timeouts,
      limits: input.limits ? { ...input.limits } : row.limits,
      options: input.options ?? row.options,
      auth: input.auth ?? row.auth,
      accepted_references: input.references ?? row.accepted_references,
      prices_of: input.pricesOf === undefined ? row.prices_of : input.pricesOf,
      enabled: input.enabled ?? row.enabled,
    })
    const after = await presentStored(await readStored(tx, tenantId, id), { secrets, types })
    if (isElsewhere(before, after)) requireNoSecrets(before, input)
    await recordChange(tx, actor, {
      action: 'provider.update',
      subjectId: id,
      before: withoutState(before),
      after: withoutState(after),
    })
  })
}

/**
 * True when the credential would be sent to another host: that of the provider itself, or one that issues tokens.
 */
const isElsewhere = (before: Provider, after: Provider): boolean =>
  originOf(before) !== originOf(after) || canonicalize(before.options) !== canonicalize(after.options)

const originOf = ({ baseUrl }: Provider): string => (URL.canParse(baseUrl) ? new URL(baseUrl).origin : '')

/** Secrets cannot be read, so nobody may redirect a secret that somebody else stored to an address of their own. */
function requireNoSecrets({ baseUrl, credentials, headers }: Provider, input: UpdateProvider): void {
  if (credentials.length > 0)
    throw conflict(
      `The credentials of this provider were given for ${baseUrl}. Delete them before you change its address or options, and add them again afterwards`,
    )
  if (headers.length > 0 && input.headers === undefined)
    throw conflict(
      `The headers of this provider were given for ${baseUrl}. Send them again with its new address or options`,
    )
}

/** Idempotent. */
export async function deleteProvider(
  { db, secrets, types }: ProviderStore,
  actor: Actor,
  id: string,
): Promise<void> {
  const { tenantId } = actor
  await inTransaction(db, async (tx) => {
    const row = await lockProvider(tx, tenantId, id)
    if (!row) throw notFound('provider')
    if (row.deleted_at) return
    const before = await presentStored(await readStored(tx, tenantId, id), { secrets, types })
    await markProviderDeleted(tx, row)
    await recordChange(tx, actor, {
      action: 'provider.delete',
      subjectId: id,
      before: withoutState(before),
      after: null,
    })
  })
}

export async function requireProviderRow(tx: Tx, tenantId: string, id: string): Promise<ProviderRow> {
  const row = await lockProvider(tx, tenantId, id)
  if (!row || row.deleted_at) throw notFound('provider')
  return row
}

export async function readStored(tx: Tx, tenantId: string, id: string): Promise<StoredProvider> {
  const stored = await findProvider(tx, tenantId, id)
  if (!stored) throw notFound('provider')
  return stored
}

/** Returns the settings without the current state of credentials, which is not part of a change. */
export const withoutState = ({ credentials, ...provider }: Provider) => ({
  ...provider,
  credentials: credentials.map(({ status: _, lastError: __, ...credential }) => credential),
})
