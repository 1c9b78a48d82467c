import { signV4 } from '../../../cloud/index.js'
import type { ExportedRow } from '../data/batch.js'
import { encodeFile } from '../formats/encode-file.js'
import { requireSuccess, type Shipment } from './destination.js'

const timeoutMs = 30_000

/**
 * Writes one object for each UTC day of the batch. An object appears whole or not at all. Its name follows from the
 * sink and the batch, so a batch that is sent again replaces what it wrote.
 */
export async function shipToS3(shipment: Shipment): Promise<void> {
  const { sink, batch } = shipment
  const days = new Map<string, ExportedRow[]>()
  for (const row of batch.rows) {
    const day = row.at.toISOString().slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), row])
  }
  for (const [day, rows] of days) {
    const { extension, contentType, body } = await encodeFile(sink, rows)
    const name = `${sink.data}/date=${day}/${sink.id}-${batch.first}-${batch.last}.${extension}`
    await putObject(shipment, name, body, contentType)
  }
}

/** Writes an object that no reader of the exported data looks at. */
export const testS3 = (shipment: Shipment): Promise<void> =>
  putObject(shipment, `test/${shipment.sink.id}.json`, Buffer.from('{"test":true}\n'), 'application/json')

async function putObject(
  { destination, secrets, outbound }: Shipment,
  name: string,
  body: Buffer,
  type: string,
): Promise<void> {
  const { region = 'us-east-1', bucket = '', prefix = '', accessKeyId = '' } = destination
  const base = new URL(destination.url)
  const folder = `${base.pathname.replace(/\/+$/, '')}/${bucket}/${prefix === '' ? '' : `${prefix}/`}`
  const path = encodePath(folder + name)
  const keys = { accessKeyId, secretAccessKey: secrets.secretAccessKey ?? '' }
  const signature = signV4(
    { method: 'PUT', path, query: '', headers: { host: base.host }, body },
    keys,
    { region, service: 's3' },
    Date.now(),
  )
  const headers = { ...signature, 'content-type': type }
  const result = await outbound.post({ url: base.origin + path, method: 'PUT', headers, body, timeoutMs })
  requireSuccess(result, codeOf)
}

const encodePath = (path: string): string =>
  path
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/')

/** The code of an error of S3, such as `AccessDenied`, and nothing else of its answer. */
const codeOf = (body: Buffer): string | null =>
  /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body.toString())?.[1] ?? null
