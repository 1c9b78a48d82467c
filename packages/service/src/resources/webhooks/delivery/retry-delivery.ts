import { type Db, inTransaction } from '../../../db/index.js'
import { conflict, notFound } from '../../../shared/errors.js'
import { type Actor, recordChange } from '../../audit/index.js'
import { lockEndpoint } from '../endpoints/store.js'
import { presentDelivery } from '../present.js'
import type { WebhookDelivery } from '../schema.js'
import { lockDelivery, restartDelivery } from './delivery-store.js'

/** Sends a delivery again, under the same id and with the same body. */
export async function retryDelivery(
  db: Db,
  actor: Actor,
  endpointId: string,
  id: string,
): Promise<WebhookDelivery> {
  const { tenantId } = actor
  return await inTransaction(db, async (tx) => {
    const endpoint = await lockEndpoint(tx, tenantId, endpointId)
    if (!endpoint || endpoint.deleted_at) throw notFound('webhook endpoint')
    const delivery = await lockDelivery(tx, tenantId, endpointId, id)
    if (!delivery) throw notFound('delivery')
    if (delivery.event === 'webhook.test') throw conflict('A test is tried once; make another test instead')
    const before = presentDelivery(delivery, new Date())
    const after = presentDelivery(await restartDelivery(tx, delivery), new Date())
    await recordChange(tx, actor, { action: 'webhook_delivery.retry', subjectId: id, before, after })
    return after
  })
}
