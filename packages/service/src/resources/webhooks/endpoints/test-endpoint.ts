import { inTransaction } from '../../../db/index.js'
import { notFound } from '../../../shared/errors.js'
import { type Actor, recordChange } from '../../audit/index.js'
import { type Attempt, type AttemptOutcome, attemptDelivery } from '../delivery/attempt.js'
import { finishTestDelivery, insertTestDelivery } from '../delivery/delivery-store.js'
import { presentEndpoint } from '../present.js'
import type { EndpointStore } from './manage.js'
import { secretStatusOf, signingSecrets } from './secret.js'
import { type DeliveryRow, type EndpointRow, findEndpoint } from './store.js'

/** Sends a test to one endpoint at once, a single time, whatever it subscribes to and even if it is disabled. */
export async function testEndpoint(
  { db, outbound, secrets }: EndpointStore,
  actor: Actor,
  id: string,
): Promise<AttemptOutcome> {
  const { endpoint, delivery } = await inTransaction(db, async (tx) => {
    const endpoint = await findEndpoint(tx, actor.tenantId, id)
    if (!endpoint) throw notFound('webhook endpoint')
    const before = presentEndpoint(endpoint, await secretStatusOf(secrets, endpoint))
    const message = `This is a test of the webhook endpoint "${endpoint.name}"`
    const delivery = await insertTestDelivery(tx, endpoint, JSON.stringify({ message }))
    await recordChange(tx, actor, {
      action: 'webhook_endpoint.test',
      subjectId: id,
      before,
      after: { ...before, testDeliveryId: delivery.id },
    })
    return { endpoint, delivery }
  })
  const signing = await signingSecrets(secrets, endpoint, new Date())
  const outcome = await attemptDelivery(outbound, attemptOf(endpoint, delivery, signing))
  await finishTestDelivery(db, delivery, outcome)
  return outcome
}

const attemptOf = (
  endpoint: EndpointRow,
  { id, tenant_id, event, data, created_at }: DeliveryRow,
  secrets: Attempt['secrets'],
): Attempt => ({
  id,
  tenantId: tenant_id,
  event,
  data,
  createdAt: created_at,
  url: endpoint.url,
  type: endpoint.type,
  envelope: endpoint.envelope,
  secrets,
})
