import { type AwsKeys, CloudIdentityError, signV4 } from '../../../cloud/index.js'
import type { ExportedRow } from '../data/batch.js'
import { encodeFile } from '../formats/encode-file.js'
import { requireSuccess, type Shipment, ShipmentError } from './destination.js'

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

async function putObject(shipment: Shipment, name: string, body: Buffer, type: string): Promise<void> {
  const { destination, outbound } = shipment
  const { region = 'us-east-1', bucket = '', prefix = '' } = destination
  const base = new URL(destination.url)
  const folder = `${base.pathname.replace(/\/+$/, '')}/${bucket}/${prefix === '' ? '' : `${prefix}/`}`
  const path = encodePath(folder + name)
  const keys = await keysOf(shipment)
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

/** The keys of the sink, or those of this machine. The operator may have taken a bucket back since the sink was created. */
async function keysOf({ sink, destination, secrets, identity }: Shipment): Promise<AwsKeys> {
  const { accessKeyId, region = '', bucket = '', url } = destination
  if (accessKeyId !== undefined) return { accessKeyId, secretAccessKey: secrets.secretAccessKey ?? '' }
  if (url !== identity.endpointOf(region) || !(await identity.mayWrite(sink.tenant_id, bucket)))
    throw new ShipmentError(
      'Nothing was sent: the operator does not allow this bucket without an access key (TALLYSTICK_SINK_BUCKETS)',
    )
  try {
    return await identity.keys(region)
  } catch (error) {
    if (!(error instanceof CloudIdentityError)) throw error
    throw new ShipmentError(`The machine has no identity: ${error.message}`)
  }
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
