import type { ExportedRow } from '../data/batch.js'
import { requireSuccess, type Shipment } from './destination.js'

const timeoutMs = 30_000
// Collectors commonly refuse bodies above a few megabytes.
const maxBodyBytes = 1024 * 1024

/**
 * Posts the rows as JSON lines, a mebibyte at a time. A request that is repeated has the same `Idempotency-Key` and
 * the same body.
 */
export async function shipToHttp(shipment: Shipment): Promise<void> {
  const { sink, batch } = shipment
  let part = 1
  for (const lines of cut(batch.rows)) {
    await postLines(shipment, lines, `${sink.id}-${batch.first}-${batch.last}-${part}`)
    part++
  }
}

export const testHttp = (shipment: Shipment): Promise<void> =>
  postLines(shipment, '{"test":true}\n', `${shipment.sink.id}-test`)

async function postLines(
  { destination, secrets, outbound }: Shipment,
  body: string,
  idempotencyKey: string,
): Promise<void> {
  const headers = {
    ...secrets.headers,
    'content-type': 'application/x-ndjson',
    'user-agent': 'Tallystick-Sinks',
    'idempotency-key': idempotencyKey,
  }
  const result = await outbound.post({ url: destination.url, headers, body, timeoutMs })
  requireSuccess(result, () => null)
}

function* cut(rows: readonly ExportedRow[]): Iterable<string> {
  let lines: string[] = []
  let bytes = 0
  for (const { json } of rows) {
    const size = Buffer.byteLength(json) + 1
    if (lines.length > 0 && bytes + size > maxBodyBytes) {
      yield lines.join('')
      lines = []
      bytes = 0
    }
    lines.push(`${json}\n`)
    bytes += size
  }
  if (lines.length > 0) yield lines.join('')
}
