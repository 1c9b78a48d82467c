import type { NumberedReceipt, Projection } from '../../ledger/index.js'
import type { EventName } from './events.js'
import type { Listeners } from './listeners.js'
import { alertThresholds } from './thresholds.js'
import { alertViolations, findViolation } from './violations.js'
import type { DeliveryWorker } from './worker.js'

/**
 * Alerts, written in the receipts' own transaction: an occurrence and its deliveries are there with the receipt that
 * made them, or not at all. Tenants that listen to nothing add no statement. Runs after the spend was added.
 *
 * What the worker of this process has room for it gets at once, as if it had claimed it.
 */
export const projectWebhooks =
  (listeners: Listeners, worker: Pick<DeliveryWorker, 'offer'>): Projection =>
  (receipts) => {
    const heardBy = (event: EventName, receipt: NumberedReceipt) =>
      listeners.mayListen(receipt.tenantId, event)
    const violations = receipts
      .filter((receipt) => heardBy('policy.violation', receipt))
      .flatMap((receipt) => findViolation(receipt) ?? [])
    const charged = receipts.filter((receipt) => heardBy('budget.threshold_reached', receipt))
    if (violations.length + charged.length === 0) return []
    const offer = worker.offer(new Set(receipts.map(({ tenantId }) => tenantId)))
    return [...alertViolations(violations, offer), ...alertThresholds(charged, offer)]
  }
