import { inTransaction } from '../../db/index.js'
import { undecryptable } from '../../secrets/index.js'
import { notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { ShipmentError } from './destinations/destination.js'
import { destinationOf } from './destinations/ship.js'
import type { SinkStore } from './manage.js'
import { presentSettings } from './present.js'
import type { SinkTest } from './schema.js'
import { openSinkSecrets } from './secrets.js'
import { findSink } from './store.js'

/** Sends something harmless at once, a single time, also if the sink is disabled. */
export async function testSink(
  { db, outbound, secrets, identity }: SinkStore,
  actor: Actor,
  id: string,
): Promise<SinkTest> {
  const sink = await inTransaction(db, async (tx) => {
    const row = await findSink(tx, actor.tenantId, id)
    if (!row) throw notFound('sink')
    const settings = await presentSettings(row, secrets)
    const after = { ...settings, testedAt: new Date().toISOString() }
    await recordChange(tx, actor, { action: 'sink.test', subjectId: id, before: settings, after })
    return row
  })
  const opened = await openSinkSecrets(secrets, sink)
  if (opened === undecryptable) return { delivered: false, error: undecryptableSecrets }
  const { destination } = sink
  const batch = { end: 'test', first: 'test', last: 'test', rows: [], hasMore: false }
  try {
    await destinationOf(sink).test({ sink, destination, secrets: opened, batch, outbound, identity })
    return { delivered: true, error: null }
  } catch (error) {
    if (!(error instanceof ShipmentError)) throw error
    return { delivered: false, error: error.message }
  }
}

export const undecryptableSecrets = 'Nothing was sent: the secrets of the sink cannot be decrypted'
