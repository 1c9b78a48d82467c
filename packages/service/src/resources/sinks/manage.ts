import { sql } from 'kysely'
import { type Db, inTransaction, newId, type SinkDestination } from '../../db/index.js'
import { cancelJobs, enqueueJob, wakeJobs } from '../../jobs/index.js'
import type { Outbound } from '../../outbound/index.js'
import type { Secrets } from '../../secrets/index.js'
import { notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { readDestination, requireFit, requireSamePlace, secretsOf } from './destination-fields.js'
import type { MachineIdentity } from './machine-identity.js'
import { presentSettings } from './present.js'
import type { CreateSink, UpdateSink } from './schema.js'
import { sealSinkSecrets } from './secrets.js'
import { insertSink, lockSink, requireRoomForSink, type SinkView, sinkJob, updateSinkRow } from './store.js'

export interface SinkStore {
  db: Db
  outbound: Outbound
  secrets: Secrets
  identity: MachineIdentity
}

/** The caller has checked the destination. */
export async function createSink(
  { db, secrets }: Pick<SinkStore, 'db' | 'secrets'>,
  actor: Actor,
  input: CreateSink,
  destination: SinkDestination,
): Promise<SinkView> {
  const row = { id: newId('sink'), tenant_id: actor.tenantId }
  const sealed = await sealSinkSecrets(secrets, row, secretsOf(input.destination) ?? {})
  return await inTransaction(db, async (tx) => {
    await requireRoomForSink(tx, actor.tenantId)
    const created = await insertSink(tx, {
      ...row,
      name: input.name,
      data: input.data,
      format: requireFit(input.data, input.format, destination.type),
      destination,
      sealed_secrets: sealed,
      interval_s: input.intervalSeconds ?? 60,
      enabled: input.enabled ?? true,
    })
    await enqueueJob(tx, { id: row.id, kind: sinkJob, tenantId: actor.tenantId })
    const after = await presentSettings(created, secrets)
    await recordChange(tx, actor, { action: 'sink.create', subjectId: row.id, before: null, after })
    return { ...created, lag_seconds: 0 }
  })
}

/** Applies to every batch that is not sent yet. */
export async function updateSink(
  { db, outbound, secrets, identity }: SinkStore,
  actor: Actor,
  id: string,
  input: UpdateSink,
): Promise<void> {
  const { name, destination: given, intervalSeconds, enabled } = input
  const destination = given && (await readDestination(given, actor.tenantId, { outbound, identity }))
  await inTransaction(db, async (tx) => {
    const row = await lockSink(tx, actor.tenantId, id)
    if (!row || row.deleted_at) throw notFound('sink')
    if (destination) requireFit(row.data, row.format, destination.type)
    const newSecrets = given ? secretsOf(given) : null
    const isKeyless = destination?.type === 's3' && destination.accessKeyId === undefined
    if (destination && !isKeyless && newSecrets === null && row.sealed_secrets !== null)
      requireSamePlace(row.destination, destination)
    const updated = await updateSinkRow(tx, row, {
      ...(name !== undefined && { name }),
      ...(destination !== undefined && { destination }),
      ...(newSecrets && { sealed_secrets: await sealSinkSecrets(secrets, row, newSecrets) }),
      ...(isKeyless && { sealed_secrets: null }),
      ...(intervalSeconds !== undefined && { interval_s: intervalSeconds }),
      ...(enabled !== undefined && { enabled }),
    })
    await wakeJobs(sql`${id}`).execute(tx)
    await recordChange(tx, actor, {
      action: 'sink.update',
      subjectId: id,
      before: await presentSettings(row, secrets),
      after: await presentSettings(updated, secrets),
    })
  })
}

/** Idempotent. Stops the export and erases the secrets. */
export async function deleteSink(
  { db, secrets }: Pick<SinkStore, 'db' | 'secrets'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await lockSink(tx, actor.tenantId, id)
    if (!row) throw notFound('sink')
    if (row.deleted_at) return
    await updateSinkRow(tx, row, { deleted_at: new Date(), sealed_secrets: null })
    await cancelJobs(sql`${id}`).execute(tx)
    await recordChange(tx, actor, {
      action: 'sink.delete',
      subjectId: id,
      before: await presentSettings(row, secrets),
      after: null,
    })
  })
}
