import type { ExportedRow } from '../data/batch.js'
import { type LineFormat, lineFormatOf } from '../formats/line-format.js'
import { requireSuccess, type Shipment } from './destination.js'

const timeoutMs = 30_000
// Collectors commonly refuse bodies above a few megabytes.
const maxBodyBytes = 1024 * 1024

/**
 * Posts the rows as lines, a mebibyte at a time. A request that is repeated has the same `Idempotency-Key` and
 * the same body.
 */
export async function shipToHttp(shipment: Shipment): Promise<void> {
  const { sink, batch } = shipment
  const format = lineFormatOf(sink.format)
  let part = 1
  for (const body of cut(batch.rows, format)) {
    await postLines(
      shipment,
      { body, contentType: format.contentType },
      `${sink.id}-${batch.first}-${batch.last}-${part}`,
    )
    part++
  }
}

export const testHttp = (shipment: Shipment): Promise<void> =>
  postLines(
    shipment,
    { body: '{"test":true}\n', contentType: 'application/x-ndjson' },
    `${shipment.sink.id}-test`,
  )

async function postLines(
  { destination, secrets, outbound }: Shipment,
  { body, contentType }: { body: string; contentType: string },
  idempotencyKey: string,
): Promise<void> {
  const headers = {
    ...secrets.headers,
    'content-type': contentType,
    'user-agent': 'Tallystick-Sinks',
    'idempotency-key': idempotencyKey,
  }
  const result = await outbound.post({ url: destination.url, headers, body, timeoutMs })
  requireSuccess(result, () => null)
}

/** Each part begins with the head of the format, so that it can be read on its own. */
function* cut(rows: readonly ExportedRow[], { head, line }: LineFormat): Iterable<string> {
  const start = head(rows)
  let lines: string[] = []
  let bytes = 0
  for (const row of rows) {
    const text = line(row)
    const size = Buffer.byteLength(text)
    if (lines.length > 0 && bytes + size > maxBodyBytes) {
      yield start + lines.join('')
      lines = []
      bytes = 0
    }
    lines.push(text)
    bytes += size
  }
  if (lines.length > 0) yield start + lines.join('')
}
