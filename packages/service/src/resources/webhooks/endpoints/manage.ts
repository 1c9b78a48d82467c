import { type Db, inTransaction, newId, type Tx } from '../../../db/index.js'
import type { Outbound } from '../../../outbound/index.js'
import type { Secrets } from '../../../secrets/index.js'
import { notFound } from '../../../shared/errors.js'
import { type Actor, recordChange } from '../../audit/index.js'
import { cancelDeliveries } from '../delivery/delivery-store.js'
import { presentEndpoint } from '../present.js'
import type { CreateWebhookEndpoint, UpdateWebhookEndpoint, WebhookEndpoint } from '../schema.js'
import { generateSecret, sealSecret, secretStatusOf } from './secret.js'
import { type EndpointRow, findEndpoint, insertEndpoint, lockEndpoint, updateEndpointRow } from './store.js'

const hourMs = 3_600_000

export interface EndpointStore {
  db: Db
  outbound: Outbound
  secrets: Secrets
}

/**
 * Creates an endpoint. The secret is returned here, and again only when it is rotated. The caller has checked the
 * URL.
 */
export async function createEndpoint(
  { db, secrets }: Omit<EndpointStore, 'outbound'>,
  actor: Actor,
  input: CreateWebhookEndpoint,
): Promise<WebhookEndpoint & { secret: string }> {
  const id = newId('whe')
  const secret = generateSecret()
  const sealed = await sealSecret(secrets, { id, tenant_id: actor.tenantId }, secret)
  return await inTransaction(db, async (tx) => {
    await insertEndpoint(tx, {
      id,
      tenant_id: actor.tenantId,
      name: input.name,
      url: input.url,
      type: input.type,
      envelope: input.envelope ?? 'tallystick',
      events: input.events,
      enabled: input.enabled ?? true,
      max_attempts: input.maxAttempts ?? 30,
      sealed_secret: sealed,
    })
    const created = await readEndpoint(tx, secrets, actor.tenantId, id)
    await recordChange(tx, actor, {
      action: 'webhook_endpoint.create',
      subjectId: id,
      before: null,
      after: created,
    })
    return { ...created, secret }
  })
}

/** Applies to every delivery that is not sent yet. */
export async function updateEndpoint(
  store: EndpointStore,
  actor: Actor,
  id: string,
  input: UpdateWebhookEndpoint,
): Promise<WebhookEndpoint> {
  const { name, url, type, envelope, events, enabled, maxAttempts } = input
  if (url !== undefined) await store.outbound.requireUrl(url, 'url')
  return await editEndpoint(store, actor, id, 'webhook_endpoint.update', () => ({
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(type !== undefined && { type }),
    ...(envelope !== undefined && { envelope }),
    ...(events !== undefined && { events }),
    ...(enabled !== undefined && { enabled }),
    ...(maxAttempts !== undefined && { max_attempts: maxAttempts }),
  }))
}

/**
 * Both secrets sign during the overlap, so that receivers can switch one by one. A secret that cannot be decrypted
 * is still kept as the previous one, because its key may be found.
 */
export async function rotateSecret(
  store: EndpointStore,
  actor: Actor,
  id: string,
  overlapHours: number,
): Promise<WebhookEndpoint & { secret: string }> {
  const secret = generateSecret()
  const sealed = await sealSecret(store.secrets, { id, tenant_id: actor.tenantId }, secret)
  const rotated = await editEndpoint(store, actor, id, 'webhook_endpoint.rotate_secret', (before) => ({
    sealed_secret: sealed,
    sealed_previous_secret: overlapHours > 0 ? before.sealed_secret : null,
    previous_secret_until: overlapHours > 0 ? new Date(Date.now() + overlapHours * hourMs) : null,
  }))
  return { ...rotated, secret }
}

async function editEndpoint(
  { db, secrets }: EndpointStore,
  actor: Actor,
  id: string,
  action: `webhook_endpoint.${string}`,
  fieldsOf: (before: EndpointRow) => Partial<EndpointRow>,
): Promise<WebhookEndpoint> {
  const { tenantId } = actor
  return await inTransaction(db, async (tx) => {
    const row = await lockEndpoint(tx, tenantId, id)
    if (!row || row.deleted_at) throw notFound('webhook endpoint')
    const before = await readEndpoint(tx, secrets, tenantId, id)
    await updateEndpointRow(tx, tenantId, id, fieldsOf(row))
    const after = await readEndpoint(tx, secrets, tenantId, id)
    await recordChange(tx, actor, { action, subjectId: id, before, after })
    return after
  })
}

/** Idempotent. Cancels open deliveries and erases the secrets. */
export async function deleteEndpoint(
  { db, secrets }: EndpointStore,
  actor: Actor,
  id: string,
): Promise<void> {
  const { tenantId } = actor
  await inTransaction(db, async (tx) => {
    const row = await lockEndpoint(tx, tenantId, id)
    if (!row) throw notFound('webhook endpoint')
    if (row.deleted_at) return
    const before = await readEndpoint(tx, secrets, tenantId, id)
    const erased = {
      deleted_at: new Date(),
      sealed_secret: null,
      sealed_previous_secret: null,
      previous_secret_until: null,
    }
    await updateEndpointRow(tx, tenantId, id, erased)
    await cancelDeliveries(tx, tenantId, id, 'The endpoint was deleted')
    await recordChange(tx, actor, { action: 'webhook_endpoint.delete', subjectId: id, before, after: null })
  })
}

async function readEndpoint(
  tx: Tx,
  secrets: Secrets,
  tenantId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const row = await findEndpoint(tx, tenantId, id)
  if (!row) throw notFound('webhook endpoint')
  return presentEndpoint(row, await secretStatusOf(secrets, row))
}
