import { type Static, Type } from 'typebox'
import { modelSettings } from '../../shared/price-schema.js'

const Milliseconds = Type.Integer({ minimum: 1, maximum: 86_400_000 })
const strict = { additionalProperties: false }

const TimeoutsSchema = Type.Object(
  {
    connectMs: Type.Optional(Milliseconds),
    firstByteMs: Type.Optional(Milliseconds),
    idleMs: Type.Optional(Milliseconds),
    totalMs: Type.Optional(Milliseconds),
    hangUpGraceMs: Type.Optional(Milliseconds),
  },
  strict,
)

const LimitsSchema = Type.Object(
  {
    maxStreamBytes: Type.Optional(Type.Integer({ minimum: 1_024, maximum: 2 ** 40 })),
    // An answer is held in memory. The memory budget of a key is at least as large as this maximum.
    maxAnswerBytes: Type.Optional(Type.Integer({ minimum: 1_024, maximum: 2 ** 27 })),
  },
  strict,
)

export const ModelSchema = Type.Object(
  {
    provider: Type.String({ minLength: 1 }),
    /** The provider's own name for the model. Default: the key of the entry. */
    model: Type.Optional(Type.String({ minLength: 1 })),
    ...Type.Partial(Type.Object(modelSettings)).properties,
  },
  strict,
)

/** A key of a provider: its value, or the path of a file with the value. */
const CredentialSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' }),
    value: Type.Optional(Type.String({ minLength: 1 })),
    file: Type.Optional(Type.String({ minLength: 1 })),
    /** Its share of the calls, relative to the weights of the other credentials. */
    weight: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  strict,
)

export const ProviderSchema = Type.Object(
  {
    type: Type.String({ minLength: 1 }),
    baseUrl: Type.Optional(Type.String({ minLength: 1 })),
    /** A single key. Several keys are given as `credentials`. */
    apiKey: Type.Optional(Type.String()),
    credentials: Type.Optional(Type.Array(CredentialSchema, { minItems: 1, maxItems: 100 })),
    /** Headers that are sent with every call. */
    headers: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Type.String())),
    /** `caller`: the caller's own `Authorization` header is forwarded to the provider. */
    auth: Type.Optional(Type.Enum(['own', 'caller'])),
    /** `any`: calls may also refer to stored objects of the provider that were not created through this service. */
    references: Type.Optional(Type.Enum(['issued', 'any'])),
    /** Options of this type of provider, such as a region, a project or a version. */
    options: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Type.String())),
    /** The names of the tenants that may use the provider. Default: all. */
    tenants: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    /** The endpoints that the provider supports. Default: those of its type. */
    dialects: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** The provider in the catalogue whose list prices apply. Default: the name of the entry. */
    pricesOf: Type.Optional(Type.String({ minLength: 1 })),
    timeouts: Type.Optional(TimeoutsSchema),
    limits: Type.Optional(LimitsSchema),
  },
  strict,
)

// A provider's name is the part of `provider/model` before the slash.
const ProviderName = '^[a-z0-9][a-z0-9_-]{0,63}$'
const ModelName = '^\\S{1,200}$'

/** `path` is for type `file`, and `url` for type `rfc3161`. */
export const AnchorSchema = Type.Object(
  {
    type: Type.Enum(['none', 'file', 'rfc3161']),
    path: Type.Optional(Type.String({ minLength: 1 })),
    url: Type.Optional(Type.String({ minLength: 1 })),
  },
  strict,
)

const Names = Type.Array(Type.String({ minLength: 1, maxLength: 320 }), { maxItems: 1_000 })

/** Sign-in by OpenID Connect. */
export const OidcSchema = Type.Object(
  {
    issuer: Type.String({ minLength: 1 }),
    clientId: Type.String({ minLength: 1 }),
    clientSecret: Type.Optional(Type.String()),
    /** The tenant whose users sign in. */
    tenant: Type.Optional(Type.String({ minLength: 1 })),
    /** The name of the issuer on the sign-in button. */
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    /** Groups, or email addresses when they contain an @. */
    managers: Type.Optional(Names),
    auditors: Type.Optional(Names),
    allowedDomains: Type.Optional(Names),
    scopes: Type.Optional(Type.String({ pattern: '\\bopenid\\b' })),
    groupsClaim: Type.Optional(Type.String({ minLength: 1 })),
  },
  strict,
)

export const RetentionDays = Type.Integer({ minimum: 1, maximum: 36_500 })

/** The structure of the file. Its entries are checked one by one. */
export const OutlineSchema = Type.Object(
  {
    providers: Type.Optional(Type.Record(Type.String({ pattern: ProviderName }), Type.Unknown(), strict)),
    models: Type.Optional(Type.Record(Type.String({ pattern: ModelName }), Type.Unknown(), strict)),
    pricesFile: Type.Optional(Type.String({ minLength: 1 })),
    packsDir: Type.Optional(Type.String({ minLength: 1 })),
    callsRetentionDays: Type.Optional(RetentionDays),
    /** Each server is checked on its own. */
    mcpServers: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
    anchor: Type.Optional(AnchorSchema),
    oidc: Type.Optional(OidcSchema),
  },
  strict,
)

export type AnchorFileConfig = Static<typeof AnchorSchema>
export type OidcFileConfig = Static<typeof OidcSchema>
export type ModelConfig = Static<typeof ModelSchema>
export type ProviderFileConfig = Static<typeof ProviderSchema>
