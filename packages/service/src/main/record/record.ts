import {
  createEventRecorder,
  createOpenCalls,
  createPriceEntries,
  openLedger,
  recordInterrupted,
  registerProcess,
  startRecordingForgotten,
} from '../../record/index.js'
import { createIssuedReferences } from '../../resources/references/index.js'
import { listTenants } from '../../resources/tenants/index.js'
import {
  createSubscriptions,
  projectWebhooks,
  recordRefusedRecord,
  startDeliveryWorker,
} from '../../resources/webhooks/index.js'
import { closeOnce } from '../closers.js'
import type { Infrastructure } from '../infrastructure/infrastructure.js'
import { openAdmission } from './admission.js'
import { createProjections } from './projections.js'
import { openMarks } from './record-marks.js'
import { toRecordedSpend } from './recorded-spend.js'

/** Opens admission and the record, and starts the delivery of webhooks about it. */
export async function openRecord(infrastructure: Infrastructure) {
  const { config, live, closers, log, failed, metrics, observers, now, storage, db, changes } = infrastructure
  const { outbound, secrets, signingKey, processId, isOnlyProcess } = infrastructure
  const { sessionUrl } = storage
  const admission = closers.add(await openAdmission(infrastructure))
  const forgetAll = async () => {
    for (const { id } of await listTenants(db)) await admission.forgetTenant(id)
  }
  // A rate limit in the configuration may be new. A window that was loaded before lacks the calls that were made without it.
  if (!isOnlyProcess && config.mcpServers.some(({ rpmLimit }) => rpmLimit !== null)) await forgetAll()
  live.add({
    prepare: (next, current) =>
      JSON.stringify(next.mcpServers) === JSON.stringify(current.mcpServers)
        ? null
        : () => void forgetAll().catch(failed('reading limits again')),
  })
  const worker = startDeliveryWorker({
    ...{ db, changes, outbound, secrets },
    onError: failed('delivering webhooks'),
    onAttempt: ({ delivered }) =>
      metrics.counter('webhookAttempts', { outcome: delivered ? 'delivered' : 'failed' }).add(),
  })
  const sending = closers.add(closeOnce(() => worker.close(live.current().shutdownGraceMs)))
  const subscriptions = await createSubscriptions({
    ...{ db, changes },
    onError: failed('reading webhook subscriptions'),
  })
  const marks = await openMarks(config, {
    ...{ db, log, now: () => now().getTime() },
    onRefused: ({ tenant, sealed, atMs }) =>
      void recordRefusedRecord(db, {
        tenantId: tenant,
        sealedSize: sealed.size,
        sealedAt: new Date(atMs),
      }).catch(failed('notifying of a record that is refused')),
  })
  const openCalls = await createOpenCalls({ databaseUrl: sessionUrl, processId, log })
  const ledger = await openLedger({
    databaseUrl: sessionUrl,
    dataDir: config.dataDir,
    ...{ signingKey, marks, log },
    projections: createProjections([projectWebhooks(subscriptions, worker)]),
    onRefused: () => metrics.counter('refusedReceipts', {}).add(),
    onRecorded(receipts, commitMs) {
      openCalls.ended(receipts)
      observers.recorded(receipts, commitMs)
      admission.countReceipts(receipts.map(toRecordedSpend)).catch(failed('updating limits after a commit'))
    },
  })
  const processes = await registerProcess({
    ...{ db, processId, isOnlyProcess },
    onError: failed('looking for processes that died'),
    // This process may have admitted calls that are not in the database, and missed calls that others recorded.
    onAbsent: forgetAll,
    async recover(deadId) {
      const { recorded, left } = await recordInterrupted(db, ledger, deadId)
      if (recorded > 0 || left === 0)
        log.warn(
          { process: deadId, calls: recorded },
          'a process died; its unfinished calls are recorded as interrupted, at the reserved cost: find out why it died',
        )
      return left === 0
    },
  })

  // A database that lost its last commits knows less of what was spent, and of what is reserved.
  marks.onAccepted((tenantId) => {
    admission.forgetTenant(tenantId).catch(failed('reading the limits of a restored record'))
  })
  const forgotten = startRecordingForgotten({
    ...{ db, processId, openCalls, ledger, marks },
    onRecorded: (calls) =>
      log.warn(
        { calls },
        'the database lost the receipts of calls that had ended; they are recorded as interrupted, at the reserved cost',
      ),
    onError: failed('looking for calls whose receipts the database lost'),
  })

  // The record is added last, so that it is closed first: what it still writes ends calls in progress.
  closers.add(processes)
  closers.add(forgotten)
  closers.add(openCalls)
  closers.add(marks)
  closers.add(ledger)

  return {
    ...{ admission, sending, subscriptions, ledger, openCalls, processes },
    prices: createPriceEntries({ ledger, now }),
    issuedReferences: createIssuedReferences(db),
    recordEvent: createEventRecorder({ signingKey: () => signingKey, marks, now }),
  }
}

export type OpenRecord = Awaited<ReturnType<typeof openRecord>>
