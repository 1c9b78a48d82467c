import { type Static, Type } from 'typebox'
import { DateTime, Name, Nullable, strict, withDefault } from '../../http/index.js'

const SinkName = Name({ description: 'A display name', examples: ['data-lake'] })
const Data = Type.Enum(['receipts', 'calls', 'audit', 'security_events', 'focus'], {
  description:
    'What is exported. `receipts` are the entries of the record as they were signed. `calls` are the fields of `GET /v1/calls`, one object per attempt. `audit` is the audit log. `security_events` are calls that a policy or an allowlist blocked, and events that limit what the record proves. `focus` is cost and usage in the columns of FOCUS 1.2',
})
const Format = Type.Enum(['jsonl', 'csv', 'parquet', 'ocsf'], {
  description:
    'The format of the rows. `jsonl` is one JSON object per line, for `receipts`, `calls` and `focus`. `csv` is for `focus`, and its default. `parquet` writes `receipts`, `calls` and `focus` to `s3`. `ocsf` is that of the Open Cybersecurity Schema Framework, one JSON object per line, for `audit` and `security_events`. It follows from the data when it is left out',
})
const Interval = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: 'The time between two batches, in seconds. A full batch of 5,000 rows does not wait',
})
const Enabled = Type.Boolean({
  description: 'While false, nothing is sent. Once it is true again, the export continues where it stopped',
})
const DestinationType = Type.Enum(['s3', 'http', 'syslog'], {
  description:
    '`s3` writes objects to a bucket of an S3-compatible service. `http` posts them to a URL. `syslog` sends messages of RFC 5424 over TLS, for `audit` and `security_events`',
})
const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    'The URL that data is sent to; for `s3`, the endpoint, by default that of AWS in the region; for `syslog`, `tls://host:6514`. Unless the service is a local trial, it must use HTTPS or TLS, and private, loopback and link-local addresses are refused',
  examples: ['https://s3.example.com'],
})
const Region = Type.String({
  pattern: '^[a-z0-9-]{1,64}$',
  description: 'For `s3`: the region',
  examples: ['eu-central-1'],
})
const Bucket = Type.String({
  pattern: '^[A-Za-z0-9._-]{3,255}$',
  description: 'For `s3`: the name of the bucket',
  examples: ['acme-ai-calls'],
})
const Prefix = Type.String({
  maxLength: 512,
  pattern: '^[A-Za-z0-9!._*()/=-]*$',
  description: 'For `s3`: the start of the names of all objects',
  examples: ['tallystick'],
})
const AccessKeyId = Type.String({
  minLength: 1,
  maxLength: 128,
  description:
    'For `s3`: the id of the access key. Without one, the identity of the machine is used, for buckets that the operator allows',
})

const Ca = Type.String({
  maxLength: 65_536,
  pattern: '^\\s*-----BEGIN CERTIFICATE-----',
  description:
    'For `syslog`: the certificate authority that signed the certificate of the receiver, in PEM. By default those that Node.js trusts',
})

const NewDestination = Type.Object(
  {
    type: DestinationType,
    url: Type.Optional(Url),
    region: Type.Optional(Region),
    bucket: Type.Optional(Bucket),
    prefix: Type.Optional(Prefix),
    accessKeyId: Type.Optional(AccessKeyId),
    secretAccessKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_024,
        description: 'For `s3`: the secret of the access key. It is stored encrypted and never returned',
      }),
    ),
    ca: Type.Optional(Ca),
    headers: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 128 }), Type.String({ maxLength: 8_192 }), {
        maxProperties: 50,
        description:
          'For `http`: headers that are sent with every request, by lower-case name. Write-only, because they can contain secrets',
      }),
    ),
  },
  { ...strict, title: 'NewSinkDestination' },
)
export type NewDestination = Static<typeof NewDestination>

const forType = (what: string) => Nullable(Type.String(), what)
const Destination = Type.Object(
  {
    type: DestinationType,
    url: Type.String(),
    region: forType('For `s3`: the region'),
    bucket: forType('For `s3`: the name of the bucket'),
    prefix: forType('For `s3`: the start of the names of all objects'),
    accessKeyId: forType('For `s3`: the id of the access key'),
    ca: forType('For `syslog`: the certificate authority, in PEM'),
    headers: Type.Array(Type.String(), { description: 'For `http`: the names of the headers' }),
  },
  { title: 'SinkDestination' },
)

const State = Type.Object(
  {
    position: Nullable(
      Type.String(),
      'Up to where data is exported: the number of a receipt, or for `audit` the time and id of an entry. Null before the first batch',
    ),
    exported: Type.Integer({ minimum: 0, description: 'The number of rows exported so far' }),
    lagSeconds: Nullable(
      Type.Number({ minimum: 0 }),
      'The age of the oldest entry that is not exported yet. 0 if there is none, null while the sink is disabled',
    ),
    lastSuccessAt: Nullable(DateTime, 'When the receiver last took a batch. Null before the first'),
    lastError: Nullable(
      Type.String(),
      'Why the last attempt failed. Null after a success. It never contains text from the receiver',
    ),
    lastErrorAt: Nullable(DateTime, 'When the last attempt failed'),
  },
  { title: 'SinkState' },
)

const example = {
  id: 'sink_01k9zq3w8hcv7m2x4n6p8r0t1y',
  name: 'data-lake',
  data: 'receipts',
  format: 'jsonl',
  destination: {
    type: 's3',
    url: 'https://s3.example.com',
    region: 'eu-central-1',
    bucket: 'acme-ai-calls',
    prefix: 'tallystick',
    accessKeyId: 'AKIAEXAMPLE',
    ca: null,
    headers: [],
  },
  intervalSeconds: 60,
  enabled: true,
  secretStatus: 'ok',
  state: {
    position: '18044',
    exported: 18_044,
    lagSeconds: 12.5,
    lastSuccessAt: '2026-11-15T09:30:00.000Z',
    lastError: null,
    lastErrorAt: null,
  },
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
}

export const Sink = Type.Object(
  {
    id: Type.String(),
    name: SinkName,
    data: Data,
    format: Format,
    destination: Destination,
    intervalSeconds: Interval,
    enabled: Enabled,
    secretStatus: Type.Enum(['ok', 'undecryptable'], {
      description:
        '`undecryptable` means that the service does not have the master key that the secrets are encrypted with. Nothing is sent. Send the secrets again to fix this',
    }),
    state: State,
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { title: 'Sink', examples: [example] },
)
export type Sink = Static<typeof Sink>

export const CreateSink = Type.Object(
  {
    name: SinkName,
    data: Data,
    format: Type.Optional(Format),
    destination: NewDestination,
    intervalSeconds: withDefault(Interval, 60),
    enabled: withDefault(Enabled, true),
  },
  {
    ...strict,
    title: 'CreateSink',
    examples: [
      {
        name: 'data-lake',
        data: 'receipts',
        destination: {
          type: 's3',
          url: 'https://s3.example.com',
          region: 'eu-central-1',
          bucket: 'acme-ai-calls',
          prefix: 'tallystick',
          accessKeyId: 'AKIAEXAMPLE',
          secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        },
      },
    ],
  },
)
export type CreateSink = Static<typeof CreateSink>

export const UpdateSink = Type.Partial(
  Type.Object({
    name: SinkName,
    destination: NewDestination,
    intervalSeconds: Interval,
    enabled: Enabled,
  }),
  { ...strict, minProperties: 1, title: 'UpdateSink', examples: [{ enabled: false }] },
)
export type UpdateSink = Static<typeof UpdateSink>

export const SinkTest = Type.Object(
  {
    delivered: Type.Boolean(),
    error: Nullable(Type.String(), 'What failed. It never contains text from the receiver'),
  },
  { title: 'SinkTest', examples: [{ delivered: false, error: 'The receiver answered 403 (AccessDenied)' }] },
)
export type SinkTest = Static<typeof SinkTest>
