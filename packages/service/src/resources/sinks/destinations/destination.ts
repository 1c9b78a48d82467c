import type { SinkDestination } from '../../../db/index.js'
import type { Outbound, OutboundResult } from '../../../outbound/index.js'
import type { Batch } from '../data/batch.js'
import type { MachineIdentity } from '../machine-identity.js'
import type { SinkSecrets } from '../secrets.js'
import type { SinkRow } from '../store.js'

/** Everything that a destination needs for one batch. */
export interface Shipment {
  sink: Pick<SinkRow, 'id' | 'tenant_id' | 'data' | 'format'>
  destination: SinkDestination
  secrets: SinkSecrets
  batch: Batch
  outbound: Outbound
  identity: MachineIdentity
}

/** The receiver did not take a batch. The message is for the manager, and has no text of the receiver. */
export class ShipmentError extends Error {}

/** Throws unless the receiver answered with success. */
export function requireSuccess(result: OutboundResult, codeOf: (body: Buffer) => string | null): void {
  if ('failure' in result) throw new ShipmentError(result.failure)
  if (result.status >= 200 && result.status < 300) return
  const code = codeOf(result.body)
  throw new ShipmentError(`The receiver answered ${result.status}${code === null ? '' : ` (${code})`}`)
}
