import type { SinkDestination } from '../../db/index.js'
import type { Outbound } from '../../outbound/index.js'
import { ApiError, conflict, invalidField } from '../../shared/errors.js'
import type { MachineIdentity } from './machine-identity.js'
import type { NewDestination } from './schema.js'
import type { SinkSecrets } from './secrets.js'
import type { SinkRow } from './store.js'

type Field = Exclude<keyof NewDestination, 'type'>

const fieldsOf: Record<NewDestination['type'], { required: Field[]; optional: Field[] }> = {
  s3: { required: ['region', 'bucket'], optional: ['url', 'prefix', 'accessKeyId', 'secretAccessKey'] },
  http: { required: ['url'], optional: ['headers'] },
  syslog: { required: ['url'], optional: ['ca'] },
}

const allFields: Field[] = [
  'url',
  'region',
  'bucket',
  'prefix',
  'accessKeyId',
  'secretAccessKey',
  'ca',
  'headers',
]

/** Checks that the fields fit the type, and that the rules allow the address. Returns them without secrets. */
export async function readDestination(
  input: NewDestination,
  tenantId: string,
  { outbound, identity }: { outbound: Outbound; identity: MachineIdentity },
): Promise<SinkDestination> {
  const { required, optional } = fieldsOf[input.type]
  for (const field of allFields) {
    const path = `destination.${field}`
    if (required.includes(field) && input[field] === undefined)
      throw invalidField(path, `is required for ${input.type}`)
    if (input[field] !== undefined && !required.includes(field) && !optional.includes(field))
      throw invalidField(path, `does not belong to ${input.type}`)
  }
  const { type, region, bucket, accessKeyId, ca } = input
  if (type === 's3' && accessKeyId === undefined) await requireIdentity(input, tenantId, identity)
  const ofRegion =
    accessKeyId === undefined ? identity.endpointOf(region ?? '') : `https://s3.${region}.amazonaws.com`
  const url = input.url ?? ofRegion
  await requireAddress(type === 'syslog' ? syslogAsHttp(url) : url, outbound)
  const prefix = input.prefix?.replace(/^\/+|\/+$/g, '')
  if (prefix?.split('/').some((part) => part === '.' || part === '..'))
    throw invalidField('destination.prefix', 'must not have the parts . or ..')
  return {
    type,
    url,
    ...(region !== undefined && { region }),
    ...(bucket !== undefined && { bucket }),
    ...(prefix !== undefined && prefix !== '' && { prefix }),
    ...(accessKeyId !== undefined && { accessKeyId }),
    ...(ca !== undefined && { ca }),
  }
}

/** Without a key, a sink writes with the identity of this machine, and only where the operator allows it. */
async function requireIdentity(
  { region = '', bucket = '', secretAccessKey, url }: NewDestination,
  tenantId: string,
  identity: MachineIdentity,
): Promise<void> {
  const path = 'destination.accessKeyId'
  if (secretAccessKey !== undefined) throw invalidField(path, 'is required with a secretAccessKey')
  if (!(await identity.mayWrite(tenantId, bucket)))
    throw invalidField(
      path,
      'is required for s3: the operator has not allowed this bucket in TALLYSTICK_SINK_BUCKETS',
    )
  const own = identity.endpointOf(region)
  if (url !== undefined && url !== own)
    throw invalidField('destination.url', `must be ${own} where the identity of the machine is used`)
}

/** The same host by the protocol whose rules apply. */
function syslogAsHttp(url: string): string {
  const match = /^(tls|tcp):\/\/([^/?#@]+:\d+)\/?$/.exec(url)
  if (!match) throw invalidField('destination.url', 'must be tls://host:port')
  return `${match[1] === 'tls' ? 'https' : 'http'}://${match[2]}`
}

/** The formats of each kind of data, the default first. */
const formatsOf: Record<SinkRow['data'], readonly [SinkRow['format'], ...SinkRow['format'][]]> = {
  receipts: ['jsonl', 'parquet'],
  calls: ['jsonl', 'parquet'],
  focus: ['csv', 'jsonl', 'parquet'],
  audit: ['ocsf'],
  security_events: ['ocsf'],
}

/** Checks that the format and the destination take this kind of data. Returns the format. */
export function requireFit(
  data: SinkRow['data'],
  format: SinkRow['format'] | undefined,
  type: string,
): SinkRow['format'] {
  const fitting = formatsOf[data]
  if (format !== undefined && !fitting.includes(format))
    throw invalidField(
      'format',
      `must be ${fitting.length > 1 ? 'one of ' : ''}${fitting.join(', ')} for ${data}`,
    )
  if (type === 'syslog' && !fitting.includes('ocsf'))
    throw invalidField('destination.type', `must be s3 or http for ${data}`)
  if (format === 'parquet' && type !== 's3') throw invalidField('destination.type', 'must be s3 for parquet')
  return format ?? fitting[0]
}

async function requireAddress(url: string, outbound: Outbound): Promise<void> {
  const path = 'destination.url'
  try {
    await outbound.requireUrl(url, path)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalidField(path, error.message.replace(`${path}: `, ''))
  }
}

/** The secrets that the input has; null when it has none, so that stored ones are kept. */
export function secretsOf({ secretAccessKey, headers }: NewDestination): SinkSecrets | null {
  if (headers !== undefined) requireHeaders(headers)
  const given = { ...(secretAccessKey !== undefined && { secretAccessKey }), ...(headers && { headers }) }
  return Object.keys(given).length === 0 ? null : given
}

// Headers that the connection or this service sets.
const ownHeaders =
  /^(?:connection|content-.*|expect|host|idempotency-key|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$/

function requireHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    const path = `destination.headers.${name}`
    if (!/^[a-z0-9!#$%&'*+.^_|~-]+$/.test(name))
      throw invalidField(path, 'is not the name of a header in lower case')
    if (ownHeaders.test(name)) throw invalidField(path, 'is set by this service')
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw invalidField(path, 'has characters that no header may have')
  }
}

/** Secrets cannot be read, so nobody may redirect a secret that somebody else stored to an address of their own. */
export function requireSamePlace(before: SinkDestination, after: SinkDestination): void {
  const isSame =
    before.type === after.type &&
    new URL(before.url).host === new URL(after.url).host &&
    new URL(before.url).protocol === new URL(after.url).protocol
  if (!isSame)
    throw conflict(
      `The secrets of this sink were given for ${before.url}. Send them again with the new address`,
    )
}
