import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict, withDefault } from '../../http/index.js'

const Name = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
  description: 'The part of `provider/model` before the slash. It cannot be changed',
  examples: ['openai-eu'],
})
const ProviderType = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    'The vendor of the provider, or the vendor that it is compatible with, such as `openai` or `anthropic`. An unknown type is refused with a list of the known ones',
  examples: ['openai'],
})
const BaseUrl = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    'The base URL. Unless the service is a local trial, it must use HTTPS, and private, loopback and link-local addresses are refused',
  examples: ['https://api.openai.com/v1'],
})
const HeaderValues = Type.Record(
  Type.String({ minLength: 1, maxLength: 128 }),
  Type.String({ maxLength: 4_096 }),
  {
    maxProperties: 50,
    description:
      'Headers that are sent with every call, by lower-case name. Write-only, because they can contain secrets',
  },
)
const DialectName = Type.String({ minLength: 1, maxLength: 64 })
const Dialects = Type.Array(DialectName, {
  minItems: 1,
  maxItems: 30,
  uniqueItems: true,
  description: 'The endpoints that the provider supports',
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
  description:
    'Timeouts in milliseconds. Omitted timeouts have the defaults that the configuration guide lists',
})
const limits = {
  maxStreamBytes: Type.Integer({ minimum: 1_024, maximum: 2 ** 40 }),
  maxAnswerBytes: Type.Integer({ minimum: 1_024, maximum: 2 ** 27 }),
}
const NewLimits = Type.Partial(Type.Object(limits), {
  ...strict,
  description:
    'Maximum sizes in bytes of a streamed answer and of any other answer. A larger answer ends with an error. Omitted limits have the defaults that the configuration guide lists',
})
const Options = Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.String({ maxLength: 1_024 }), {
  maxProperties: 20,
  description: 'Options of the type, such as a region or an API version',
})
const Auth = Type.Enum(['own', 'caller'], {
  description:
    'How calls to the provider are authenticated. `own` uses the credentials of this provider. `caller` forwards the caller’s own `Authorization` header; the caller then sends the virtual key as `X-Tallystick-Key`',
})
const References = Type.Enum(['issued', 'any'], {
  description:
    'Which ids of stored objects (responses, conversations, files, containers, vector stores) calls may refer to. `issued` allows ids that an answer gave to the same user, key or team. `any` also allows ids of objects created elsewhere, but refuses ids that were issued to somebody else. With `auth: caller`, every id is allowed',
})
const PricesOf = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The catalogue provider whose list prices apply',
})
const Enabled = Type.Boolean({ description: 'While false, the provider’s models cannot be called' })

const CredentialName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'A name that is unique for this provider',
  examples: ['2026-11'],
})
const Weight = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  description: 'The share of calls that use this credential, relative to the weights of the others',
})
export const CreateCredential = Type.Object(
  {
    name: CredentialName,
    value: Type.String({
      minLength: 1,
      maxLength: 16_384,
      description:
        'The API key, or whatever credential this type of provider uses. It is stored encrypted and never returned',
    }),
    weight: withDefault(Weight, 1),
  },
  { ...strict, title: 'CreateProviderCredential', examples: [{ name: '2026-11', value: 'sk-example' }] },
)
export type CreateCredential = Static<typeof CreateCredential>

const LastError = Type.Object({
  status: Type.Integer({ description: 'The status code that the provider returned' }),
  message: Type.String({ description: 'The reason. It never contains text from the provider' }),
  at: DateTime,
})
export const Credential = Type.Object(
  {
    id: Type.String({ examples: ['cred_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    name: Type.String(),
    hint: Type.String({ description: 'The last four characters of the value. Empty if the value is short' }),
    status: Type.Enum(['active', 'resting', 'undecryptable'], {
      description:
        '`resting` means that the provider refused the credential or that it is over its rate limit, so it is not used for a while. `undecryptable` means that the service does not have the master key that the credential is encrypted with, so it is not used',
    }),
    weight: Weight,
    createdAt: Nullable(DateTime, 'Null for an object from the configuration'),
    lastError: Nullable(
      LastError,
      'The last refusal that the responding replica has seen. Null if the credential was never refused',
    ),
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
    baseUrl: Type.String({
      description: 'The base URL of the provider. Empty for `mock`, which is built in',
    }),
    headers: Type.Array(
      Type.Object({
        name: Type.String(),
        hint: Type.String({
          description: 'The last four characters of the value. Empty if the value is short',
        }),
      }),
      { description: 'Headers that are sent with every call' },
    ),
    dialects: Type.Array(Type.String(), { description: 'The endpoints that the provider supports' }),
    timeouts: Type.Object(timeouts),
    limits: Type.Object(limits),
    options: Type.Record(Type.String(), Type.String()),
    auth: Auth,
    references: References,
    pricesOf: Type.String({ description: 'The catalogue provider whose list prices apply' }),
    enabled: Enabled,
    secretStatus: Type.Enum(['ok', 'undecryptable'], {
      description:
        '`undecryptable` means that the headers cannot be decrypted, so the provider is not called. Set `headers` again to fix this',
    }),
    source: Type.Enum(['api', 'config'], {
      description:
        '`config` means that the provider comes from the operator’s file or environment, or is the `mock` of a local trial. The API cannot change it',
    }),
    credentials: Type.Array(Credential),
    createdAt: Nullable(DateTime, 'Null for an object from the configuration'),
    updatedAt: Nullable(DateTime, 'Null for an object from the configuration'),
  },
  { title: 'Provider', examples: [exampleRecord] },
)
export type Provider = Static<typeof Provider>

export const CreateProvider = Type.Object(
  {
    name: Name,
    type: ProviderType,
    baseUrl: withDefault(
      Nullable(BaseUrl, 'The base URL of the provider. Null means the default of the type'),
      null,
    ),
    headers: withDefault(HeaderValues, {}),
    dialects: withDefault(
      Nullable(Dialects, 'The endpoints that the provider supports. Null means the default of the type'),
      null,
    ),
    timeouts: withDefault(NewTimeouts, {}),
    limits: withDefault(NewLimits, {}),
    options: withDefault(Options, {}),
    auth: withDefault(Auth, 'own'),
    references: withDefault(References, 'issued'),
    pricesOf: withDefault(
      Nullable(
        PricesOf,
        'The catalogue provider whose list prices apply. Null means the provider’s own name',
      ),
      null,
    ),
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
    baseUrl: Nullable(BaseUrl, 'The base URL of the provider. Null means the default of the type'),
    headers: HeaderValues,
    dialects: Nullable(
      Dialects,
      'The endpoints that the provider supports. Null means the default of the type',
    ),
    timeouts: NewTimeouts,
    limits: NewLimits,
    options: Options,
    auth: Auth,
    references: References,
    pricesOf: Nullable(
      PricesOf,
      'The catalogue provider whose list prices apply. Null means the provider’s own name',
    ),
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
      'What failed, with the returned status code. It never contains text from the provider',
    ),
  },
  { title: 'ProviderTest', examples: [{ ok: true, latencyMs: 212, error: null }] },
)
export type ProviderTest = Static<typeof ProviderTest>
