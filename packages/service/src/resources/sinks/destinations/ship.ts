import type { SinkDestination } from '../../../db/index.js'
import type { SinkRow } from '../store.js'
import type { Shipment } from './destination.js'
import { shipToHttp, testHttp } from './http.js'
import { shipToS3, testS3 } from './s3.js'
import { shipToSyslog, testSyslog } from './syslog.js'

interface Destination {
  /** Sends a batch. Rejects with a `ShipmentError` unless the receiver has all of it. */
  ship(shipment: Shipment): Promise<void>
  /** Sends something harmless. */
  test(shipment: Shipment): Promise<void>
}

const destinations: Readonly<Record<SinkDestination['type'], Destination>> = {
  s3: { ship: shipToS3, test: testS3 },
  http: { ship: shipToHttp, test: testHttp },
  syslog: { ship: shipToSyslog, test: testSyslog },
}

export const destinationOf = ({ destination }: Pick<SinkRow, 'destination'>): Destination =>
  destinations[destination.type]
