import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ExportedRow } from '../data/batch.js'
import { type Shipment, ShipmentError } from './destination.js'

const timeoutMs = 30_000
// A receiver that dies of a batch, or is restarted, hangs up within this time.
const graceMs = 500
const facility = { audit: 13, security_events: 10 } as const
const severity = { informational: 6, warning: 4 } as const

/**
 * Sends a message of RFC 5424 for each row, framed as RFC 5425 and RFC 6587 say, over a connection of its own. Syslog
 * knows no acknowledgement. A batch counts as received if the receiver keeps the connection open for a moment after it,
 * and closes it without an error once this side has ended it. Otherwise the batch is sent again.
 */
export const shipToSyslog = (shipment: Shipment): Promise<void> =>
  sendFrames(
    shipment,
    shipment.batch.rows.map((row) => frameOf(shipment, row)),
  )

export const testSyslog = (shipment: Shipment): Promise<void> =>
  sendFrames(shipment, [frameOf(shipment, { at: new Date(), id: 'test', json: '{"test":true}' })])

function frameOf({ sink }: Shipment, { at, json }: ExportedRow): Buffer {
  const isAudit = sink.data === 'audit'
  const priority =
    (isAudit ? facility.audit : facility.security_events) * 8 +
    (isAudit ? severity.informational : severity.warning)
  const message = Buffer.from(`<${priority}>1 ${at.toISOString()} - tallystick - ${sink.data} - ${json}`)
  return Buffer.concat([Buffer.from(`${message.length} `), message])
}

async function sendFrames({ destination, outbound }: Shipment, frames: readonly Buffer[]): Promise<void> {
  const { hostname, port, protocol } = new URL(destination.url)
  const connected = await outbound.connect({ hostname, port, isTls: protocol === 'tls:', ca: destination.ca })
  if ('failure' in connected) throw new ShipmentError(connected.failure)
  const { socket } = connected
  try {
    await writeAll(socket, frames)
  } catch {
    throw new ShipmentError('The connection was closed before everything was sent')
  } finally {
    socket.destroy()
  }
}

async function writeAll(socket: Socket, frames: readonly Buffer[]): Promise<void> {
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('timeout')))
  // What the receiver says is not read, but its end is only seen by reading.
  socket.resume()
  const closed = once(socket, 'close')
  closed.catch(() => undefined)
  const early = closed.then(refuse)
  early.catch(() => undefined)
  for (const frame of frames) if (!socket.write(frame)) await Promise.race([once(socket, 'drain'), early])
  await Promise.race([pause(graceMs), early])
  socket.end()
  await closed
  if (socket.errored !== null) throw socket.errored
}

const refuse = (): never => {
  throw new Error('closed early')
}
