import { parseHeaders, parseNumber } from '../../../components'
import { type DestinationType, dataKinds, type Sink, type SinkData, type SinkFormat } from '../use-sinks'

export interface SinkDraft {
  name: string
  data: SinkData
  format: SinkFormat
  type: DestinationType
  url: string
  region: string
  bucket: string
  prefix: string
  accessKeyId: string
  /** Empty keeps the stored one. */
  secretAccessKey: string
  /** Empty keeps the stored ones. */
  headers: string
  ca: string
  interval: string
}

const urlOfAws = (region: string) => `https://s3.${region}.amazonaws.com`

export function toDraft(sink: Sink | null): SinkDraft {
  const { data = 'receipts', destination } = sink ?? {}
  const { url = '', region } = destination ?? {}
  return {
    name: sink?.name ?? '',
    data,
    format: sink?.format ?? dataKinds[data].formats[0],
    type: destination?.type ?? 's3',
    url: region != null && url === urlOfAws(region) ? '' : url,
    region: region ?? '',
    bucket: destination?.bucket ?? '',
    prefix: destination?.prefix ?? '',
    accessKeyId: destination?.accessKeyId ?? '',
    secretAccessKey: '',
    headers: '',
    ca: destination?.ca ?? '',
    interval: String(sink?.intervalSeconds ?? 60),
  }
}

/** Data that does not fit the format or the destination brings those that do. */
export function withData({ format, type }: SinkDraft, data: SinkData): Partial<SinkDraft> {
  const { formats, destinations } = dataKinds[data]
  return {
    data,
    format: formats.find((each) => each === format) ?? formats[0],
    type: destinations.find((each) => each === type) ?? 's3',
  }
}

/** Each type has its own fields. What is typed for another type is not sent. */
export function toBody(draft: SinkDraft) {
  const { type, region, bucket, prefix, accessKeyId, secretAccessKey, ca } = draft
  const url = draft.url.trim() !== '' && { url: draft.url.trim() }
  const fields = {
    s3: {
      ...{ region: region.trim(), bucket: bucket.trim(), prefix: prefix.trim() },
      ...(accessKeyId.trim() !== '' && { accessKeyId: accessKeyId.trim() }),
      ...(secretAccessKey !== '' && { secretAccessKey }),
    },
    http: draft.headers.trim() !== '' && { headers: parseHeaders(draft.headers) },
    syslog: ca.trim() !== '' && { ca: ca.trim() },
  }
  return {
    name: draft.name,
    data: draft.data,
    format: draft.format,
    destination: { type, ...url, ...fields[type] },
    intervalSeconds: parseNumber(draft.interval),
  }
}

const required = {
  s3: ['region', 'bucket'],
  http: ['url'],
  syslog: ['url'],
} as const

/** Fields that are missing, by their path in the API. */
export const missingFields = (draft: SinkDraft): Record<string, string | null> =>
  Object.fromEntries(
    required[draft.type].map((name) => [paths[name], draft[name].trim() === '' ? 'is required' : null]),
  )

/** Members of the draft by their path in the API. */
export const paths = {
  type: 'destination.type',
  url: 'destination.url',
  region: 'destination.region',
  bucket: 'destination.bucket',
  prefix: 'destination.prefix',
  accessKeyId: 'destination.accessKeyId',
  secretAccessKey: 'destination.secretAccessKey',
  headers: 'destination.headers',
  ca: 'destination.ca',
  interval: 'intervalSeconds',
} as const
