import { setTimeout as pause } from 'node:timers/promises'
import { startRecordDatabase } from './database.mjs'

/** The service's own parts, without its HTTP server: what is measured begins at the record. @param {string} path */
const part = (path) => import(new URL(`../packages/service/src/${path}`, import.meta.url).href)

const appendsAtOnce = 256

/**
 * The ledger with its projections, and a worker that delivers, on an embedded database.
 * @param {import('./processes.mjs').Cleanup} cleanup
 */
export async function startDeliverer(cleanup) {
  const { listenForChanges, newId } = await part('db/index.js')
  const { noMarks, openLedger } = await part('record/index.js')
  const { projectUsage } = await part('reporting/usage/index.js')
  const { createTenant } = await part('resources/tenants/index.js')
  const webhooks = await part('resources/webhooks/index.js')
  const { createOutbound } = await part('outbound/index.js')
  const { openSecrets } = await part('secrets/index.js')
  const onError = (/** @type {unknown} */ error) => console.error(error)
  const log = { debug: () => undefined, warn: onError, error: onError }

  const { db, url: databaseUrl, folder: dataDir, signingKey } = await startRecordDatabase(cleanup)
  const { id: tenantId } = await createTenant(db, 'bench')
  const secrets = await openSecrets({ db, dataDir, configured: null, warn: onError })
  const changes = await listenForChanges(databaseUrl, () => undefined)
  cleanup.add(() => changes.close())
  const subscriptions = await webhooks.createSubscriptions({ db, changes, onError })
  /** @type {any} */
  let worker = null
  const ledger = await openLedger({
    databaseUrl,
    dataDir,
    signingKey,
    marks: noMarks,
    log,
    projections: [
      projectUsage,
      webhooks.projectWebhooks(subscriptions, {
        claimOnInsert: (/** @type {Set<string>} */ ids) => worker?.claimOnInsert(ids),
      }),
    ],
  })
  cleanup.add(() => ledger.close())

  const violation = () => ({
    tenantId,
    commitmentKey: null,
    draft: {
      id: newId('req'),
      ts: new Date().toISOString(),
      kind: 'model',
      key: 'key_bench',
      provider: 'mock',
      model: 'echo',
      costNanos: 0,
      status: 403,
      outcome: 'blocked',
      checks: [{ name: 'model_allowlist', applicable: true, result: 'fail', action: 'block' }],
    },
  })

  /** @param {number} count */
  async function append(count) {
    let next = 0
    const one = async () => {
      while (next++ < count) await ledger.append(violation())
    }
    await Promise.all(Array.from({ length: appendsAtOnce }, one))
  }

  /** @param {string} url */
  async function addEndpoint(url) {
    const id = newId('whe')
    const place = { purpose: 'webhook_endpoints.secret', tenantId, rowId: id }
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    await db
      .insertInto('webhook_endpoints')
      .values({
        id,
        tenant_id: tenantId,
        name: url,
        url,
        type: 'generic',
        events: ['policy.violation'],
        sealed_secret: await secrets.seal(place, Buffer.from(secret)),
      })
      .execute()
  }

  async function countOpen() {
    const rows = await db
      .selectFrom('webhook_deliveries as d')
      .innerJoin('webhook_endpoints as e', 'e.id', 'd.endpoint_id')
      .select('d.id')
      .where('e.url', 'like', '%/live/%')
      .where('d.status', '<>', 'delivered')
      .execute()
    return rows.length
  }

  return {
    sampleBody: Buffer.from(
      JSON.stringify({
        id: 'dlv_019a8d2e7c4b5f0e9d8c7b6a59',
        event: 'policy.violation',
        created: new Date().toISOString(),
        data: {
          message: 'A call to the model echo was blocked: it is not in the allowlist',
          virtual_key_id: 'key_bench',
          user_id: null,
          policy_id: null,
          policy_name: null,
          check: 'model_allowlist',
          model: 'echo',
          receipt_seq: 12345,
        },
      }),
    ),
    /**
     * Endpoints and a worker for the time that `measure` takes; afterwards every delivery must be known as delivered.
     * @param {{ url: string, live: number, dead: number }} endpoints
     * @param {(send: (events: number) => Promise<void>) => Promise<number>} measure
     */
    async deliver({ url, live, dead }, measure) {
      for (let i = 0; i < live; i++) await addEndpoint(`${url}/live/${i}`)
      for (let i = 0; i < dead; i++) await addEndpoint(`${url}/dead/${i}`)
      subscriptions.forget(tenantId)
      const outbound = createOutbound({ strict: false })
      worker = webhooks.startDeliveryWorker({ db, changes, outbound, secrets, onError })
      const measured = await measure(append)
      for (let waits = 0; (await countOpen()) > 0; waits++) {
        if (waits > 100) throw new Error('deliveries that arrived are not known as delivered')
        await pause(50)
      }
      await worker.close(0)
      await outbound.close()
      await db.deleteFrom('webhook_deliveries').execute()
      await db.deleteFrom('webhook_endpoints').execute()
      return measured
    },
  }
}
