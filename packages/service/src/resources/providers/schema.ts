import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict, withDefault } from '../../http/index.js'

const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
  description: 'The part of `provider/model` before the slash. It stays as it is',
  examples: ['openai-eu'],
})
const ProviderType = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    'Which vendor it is, or which one it is compatible with: `openai`, `anthropic`, … An unknown one is refused with the list',
  examples: ['openai'],
})
const BaseUrl = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    'Where it is reached. Unless the service is a local trial: HTTPS, and no private, loopback or link-local address',
  examples: ['https://api.openai.com/v1'],
})
const HeaderValues = Type.Record(
  Type.String({ minLength: 1, maxLength: 128 }),
  Type.String({ maxLength: 4_096 }),
  {
    maxProperties: 50,
    description: 'Headers that go with every call, by name in lower case. Write-only: they may be secrets',
  },
)
const DialectName = Type.String({ minLength: 1, maxLength: 64 })
const Dialects = Type.Array(DialectName, {
  minItems: 1,
  maxItems: 30,
  uniqueItems: true,
  description: 'The endpoints that it answers',
})
const Milliseconds = Type.Integer({ minimum: 1, maximum: 86_400_000 })
const timeouts = {
  connectMs: Milliseconds,
  firstByteMs: Milliseconds,
  idleMs: Milliseconds,
  totalMs: Milliseconds,
  hangUpGraceMs: Milliseconds,
}
const NewTimeouts = Type.Partial(Type.Object(timeouts), {
  ...strict,
  description: 'How long each kind of silence may last; what is left out is as in the configuration guide',
})
const limits = {
  maxStreamBytes: Type.Integer({ minimum: 1_024, maximum: 2 ** 40 }),
  maxAnswerBytes: Type.Integer({ minimum: 1_024, maximum: 2 ** 27 }),
}
const NewLimits = Type.Partial(Type.Object(limits), {
  ...strict,
  description:
    'How large a stream may be, and an answer in one piece: one that is larger is ended with an error. What is left out is as in the configuration guide',
})
const Options = Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.String({ maxLength: 1_024 }), {
  maxProperties: 20,
  description: 'Options of this type, such as a region or a version',
})
const Auth = Type.Enum(['own', 'caller'], {
  description:
    '`own`: with the credentials below. `caller`: with the caller’s own `Authorization`, which comes beside the virtual key in `X-Tallystick-Key`',
})
const References = Type.Enum(['issued', 'any'], {
  description:
    'Which ids calls may name of what the provider keeps (responses, conversations, files, containers, vector stores). `issued`: those that came with an answer to the same user, key or team. `any`: also such as were made elsewhere; an id that was issued to somebody else is refused all the same. With `auth: caller` every id passes',
})
const PricesOf = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The catalogue provider whose list prices apply',
})
const Enabled = Type.Boolean({ description: 'While false, its models cannot be called' })

const CredentialName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'Unique in the provider',
  examples: ['2026-11'],
})
const Weight = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  description: 'Its share of the calls, beside those of the others',
})
export const CreateCredential = Type.Object(
  {
    name: CredentialName,
    value: Type.String({
      minLength: 1,
      maxLength: 16_384,
      description: 'The key, or what else its type takes as one. Stored encrypted, and never shown',
    }),
    weight: withDefault(Weight, 1),
  },
  { ...strict, title: 'CreateProviderCredential', examples: [{ name: '2026-11', value: 'sk-example' }] },
)
export type CreateCredential = Static<typeof CreateCredential>

const LastError = Type.Object({
  status: Type.Integer({ description: 'What the provider answered' }),
  message: Type.String({ description: 'Never text from the provider' }),
  at: DateTime,
})
export const Credential = Type.Object(
  {
    id: Type.String({ examples: ['cred_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    name: Type.String(),
    hint: Type.String({ description: 'The last four characters of its value; empty for a short one' }),
    status: Type.Enum(['active', 'resting', 'undecryptable'], {
      description:
        '`resting`: it was refused, or is over its rate limit, and is not used for a while. `undecryptable`: the service does not have the master key that it is sealed under; it is not used',
    }),
    weight: Weight,
    createdAt: Nullable(DateTime, 'Null for one of the configuration'),
    lastError: Nullable(LastError, 'As the replica has seen it that answers; null if it was never refused'),
  },
  { title: 'ProviderCredential' },
)
export type Credential = Static<typeof Credential>

const exampleRecord = {
  id: 'prov_01k9zq3w8hcv7m2x4n6p8r0t1y',
  name: 'openai-eu',
  type: 'openai',
  baseUrl: 'https://eu.api.openai.com/v1',
  headers: [],
  dialects: ['chat', 'responses', 'embeddings'],
  timeouts: {
    connectMs: 5_000,
    firstByteMs: 600_000,
    idleMs: 120_000,
    totalMs: 3_600_000,
    hangUpGraceMs: 5_000,
  },
  limits: { maxStreamBytes: 536_870_912, maxAnswerBytes: 134_217_728 },
  options: {},
  auth: 'own' as const,
  references: 'issued' as const,
  pricesOf: 'openai',
  enabled: true,
  secretStatus: 'ok' as const,
  source: 'api' as const,
  credentials: [
    {
      id: 'cred_01k9zq3w8hcv7m2x4n6p8r0t1y',
      name: '2026-11',
      hint: 'x9Qz',
      status: 'active' as const,
      weight: 1,
      createdAt: '2026-11-15T09:30:00.000Z',
      lastError: null,
    },
  ],
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
}

export const Provider = Type.Object(
  {
    id: Type.String({ examples: [exampleRecord.id] }),
    name: Type.String(),
    type: Type.String(),
    baseUrl: Type.String({ description: 'Where it is reached; empty for `mock`, which is built in' }),
    headers: Type.Array(
      Type.Object({
        name: Type.String(),
        hint: Type.String({ description: 'The last four characters of its value; empty for a short one' }),
      }),
      { description: 'Headers that go with every call' },
    ),
    dialects: Type.Array(Type.String(), { description: 'The endpoints that it answers' }),
    timeouts: Type.Object(timeouts),
    limits: Type.Object(limits),
    options: Type.Record(Type.String(), Type.String()),
    auth: Auth,
    references: References,
    pricesOf: Type.String({ description: 'Whose list prices apply' }),
    enabled: Enabled,
    secretStatus: Type.Enum(['ok', 'undecryptable'], {
      description:
        '`undecryptable`: its headers cannot be opened, so it is not called. Setting `headers` again mends it',
    }),
    source: Type.Enum(['api', 'config'], {
      description:
        '`config`: from the operator’s file or environment, or the `mock` of a local trial; read-only here',
    }),
    credentials: Type.Array(Credential),
    createdAt: Nullable(DateTime, 'Null for one of the configuration'),
    updatedAt: Nullable(DateTime, 'Null for one of the configuration'),
  },
  { title: 'Provider', examples: [exampleRecord] },
)
export type Provider = Static<typeof Provider>

export const CreateProvider = Type.Object(
  {
    name: Name,
    type: ProviderType,
    baseUrl: withDefault(Nullable(BaseUrl, 'Null for the address of its type'), null),
    headers: withDefault(HeaderValues, {}),
    dialects: withDefault(Nullable(Dialects, 'Null for what its type usually answers'), null),
    timeouts: withDefault(NewTimeouts, {}),
    limits: withDefault(NewLimits, {}),
    options: withDefault(Options, {}),
    auth: withDefault(Auth, 'own'),
    references: withDefault(References, 'issued'),
    pricesOf: withDefault(Nullable(PricesOf, 'Null for its own name'), null),
    enabled: withDefault(Enabled, true),
    credentials: withDefault(Type.Array(CreateCredential, { maxItems: 50 }), []),
  },
  {
    ...strict,
    title: 'CreateProvider',
    examples: [
      {
        name: 'openai-eu',
        type: 'openai',
        baseUrl: 'https://eu.api.openai.com/v1',
        pricesOf: 'openai',
        credentials: [{ name: '2026-11', value: 'sk-example' }],
      },
    ],
  },
)
export type CreateProvider = Static<typeof CreateProvider>

export const UpdateProvider = Type.Partial(
  Type.Object({
    baseUrl: Nullable(BaseUrl, 'Null for the address of its type'),
    headers: HeaderValues,
    dialects: Nullable(Dialects, 'Null for what its type usually answers'),
    timeouts: NewTimeouts,
    limits: NewLimits,
    options: Options,
    auth: Auth,
    references: References,
    pricesOf: Nullable(PricesOf, 'Null for its own name'),
    enabled: Enabled,
  }),
  { ...strict, minProperties: 1, title: 'UpdateProvider', examples: [{ enabled: false }] },
)
export type UpdateProvider = Static<typeof UpdateProvider>

export const ProviderTest = Type.Object(
  {
    ok: Type.Boolean(),
    latencyMs: Type.Integer({ minimum: 0 }),
    error: Nullable(
      Type.String(),
      'What failed, with the status that was answered; never the provider’s own words',
    ),
  },
  { title: 'ProviderTest', examples: [{ ok: true, latencyMs: 212, error: null }] },
)
export type ProviderTest = Static<typeof ProviderTest>
