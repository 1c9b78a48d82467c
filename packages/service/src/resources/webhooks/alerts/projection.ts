import type { Projection } from '../../../record/index.js'
import type { DeliveryWorker } from '../delivery/worker.js'
import type { Subscriptions } from '../endpoints/subscriptions.js'
import { insertThresholdAlerts } from './thresholds.js'
import { findViolation, insertViolationAlerts } from './violations.js'

/**
 * Alerts, inserted in the receipts' own transaction: an occurrence and its deliveries are committed with the
 * receipt that caused them, or not. Tenants without a subscription add no statement. Runs after the projection of
 * spend.
 *
 * Deliveries within the capacity of this process's worker are inserted as claimed by it.
 */
export const projectWebhooks =
  (subscriptions: Subscriptions, worker: Pick<DeliveryWorker, 'claimOnInsert'>): Projection =>
  (receipts) => {
    const violations = receipts
      .filter(({ tenantId }) => subscriptions.mayHave(tenantId, 'policy.violation'))
      .flatMap((receipt) => findViolation(receipt) ?? [])
    const charged = receipts.filter(({ tenantId }) =>
      subscriptions.mayHave(tenantId, 'budget.threshold_reached'),
    )
    if (violations.length + charged.length === 0) return []
    const claim = worker.claimOnInsert(new Set(receipts.map(({ tenantId }) => tenantId)))
    return [...insertViolationAlerts(violations, claim), ...insertThresholdAlerts(charged, claim)]
  }
