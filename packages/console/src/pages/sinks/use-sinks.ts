import { type ResponseOf, useInvalidate } from '../../api'

export type Sink = ResponseOf<'/v1/sinks'>['data'][number]
export type SinkData = Sink['data']
export type SinkFormat = Sink['format']
export type DestinationType = Sink['destination']['type']

interface DataKind {
  name: string
  description: string
  /** The formats that it has, the default first. */
  formats: readonly [SinkFormat, ...SinkFormat[]]
  destinations: readonly DestinationType[]
}

export const dataKinds: Readonly<Record<SinkData, DataKind>> = {
  receipts: {
    name: 'Receipts',
    description: 'The entries of the record, exactly as they were signed',
    formats: ['jsonl', 'parquet'],
    destinations: ['s3', 'http'],
  },
  calls: {
    name: 'Calls',
    description: 'Every attempt with its model, tokens, cost and outcome, without content',
    formats: ['jsonl', 'parquet'],
    destinations: ['s3', 'http'],
  },
  focus: {
    name: 'Costs',
    description: 'Cost and usage by the hour, in the columns of FOCUS 1.2',
    formats: ['csv', 'jsonl', 'parquet'],
    destinations: ['s3', 'http'],
  },
  audit: {
    name: 'Audit log',
    description: 'Every change that a person, key or operator made',
    formats: ['ocsf'],
    destinations: ['s3', 'http', 'syslog'],
  },
  security_events: {
    name: 'Security events',
    description: 'Blocked calls, and events that limit what the record proves',
    formats: ['ocsf'],
    destinations: ['s3', 'http', 'syslog'],
  },
}

export const formatNames: Readonly<Record<SinkFormat, string>> = {
  jsonl: 'JSON lines',
  csv: 'CSV',
  parquet: 'Parquet',
  ocsf: 'OCSF',
}

export const destinationNames: Readonly<Record<DestinationType, string>> = {
  s3: 'S3 bucket',
  http: 'HTTP endpoint',
  syslog: 'Syslog over TLS',
}

/** Where a sink sends to, in one line: a bucket and its prefix, or a host. */
export function describeDestination({ type, url, bucket, prefix }: Sink['destination']): string {
  if (type === 's3') return [bucket, prefix].filter(Boolean).join('/')
  return URL.canParse(url) ? new URL(url).host : url
}

export const sinkPaths = ['/v1/sinks'] as const
export const useRefreshSinks = () => useInvalidate(sinkPaths)
