import { type Static, Type } from 'typebox'
import { modelTerms } from '../../shared/price-schema.js'

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
    // It is held in memory, and each key has room for one of the largest.
    maxAnswerBytes: Type.Optional(Type.Integer({ minimum: 1_024, maximum: 2 ** 27 })),
  },
  strict,
)

export const ModelSchema = Type.Object(
  {
    provider: Type.String({ minLength: 1 }),
    /** The provider's own name of the model; the key of the entry when left out. */
    model: Type.Optional(Type.String({ minLength: 1 })),
    ...Type.Partial(Type.Object(modelTerms)).properties,
  },
  strict,
)

/** One of the keys of a provider: its value, or a file with it. */
const CredentialSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' }),
    value: Type.Optional(Type.String({ minLength: 1 })),
    file: Type.Optional(Type.String({ minLength: 1 })),
    /** Its share of the calls, beside those of the others. */
    weight: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  strict,
)

export const ProviderSchema = Type.Object(
  {
    type: Type.String({ minLength: 1 }),
    baseUrl: Type.Optional(Type.String({ minLength: 1 })),
    /** One key; several are `credentials`. */
    apiKey: Type.Optional(Type.String()),
    credentials: Type.Optional(Type.Array(CredentialSchema, { minItems: 1, maxItems: 100 })),
    /** Sent with every call. */
    headers: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Type.String())),
    /** `caller`: the caller's own `Authorization` goes to the provider. */
    auth: Type.Optional(Type.Enum(['own', 'caller'])),
    /** `any`: calls may also name what the provider keeps and this service did not hand out. */
    references: Type.Optional(Type.Enum(['issued', 'any'])),
    /** What only this type has: a region, a project, a version. The type says which. */
    options: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Type.String())),
    /** Names of the tenants that may use it; all when left out. */
    tenants: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    /** Which endpoints the provider answers, where it differs from what its type usually does. */
    dialects: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** Whose list prices apply: a provider of the catalogue; the entry's own name when left out. */
    pricesOf: Type.Optional(Type.String({ minLength: 1 })),
    timeouts: Type.Optional(TimeoutsSchema),
    limits: Type.Optional(LimitsSchema),
  },
  strict,
)

// The part of `provider/model` before the slash.
const ProviderName = '^[a-z0-9][a-z0-9_-]{0,63}$'
const ModelName = '^\\S{1,200}$'

/** `path` belongs to a file, `url` to a time-stamp authority. */
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
    /** Whose people sign in. */
    tenant: Type.Optional(Type.String({ minLength: 1 })),
    /** What people call the issuer: on the button. */
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    /** By group, or by email where there is an @ in it. */
    managers: Type.Optional(Names),
    auditors: Type.Optional(Names),
    allowedDomains: Type.Optional(Names),
    scopes: Type.Optional(Type.String({ pattern: '\\bopenid\\b' })),
    groupsClaim: Type.Optional(Type.String({ minLength: 1 })),
  },
  strict,
)

export const RetentionDays = Type.Integer({ minimum: 1, maximum: 36_500 })

/** The file without its entries, which are checked one by one. */
export const OutlineSchema = Type.Object(
  {
    providers: Type.Optional(Type.Record(Type.String({ pattern: ProviderName }), Type.Unknown(), strict)),
    models: Type.Optional(Type.Record(Type.String({ pattern: ModelName }), Type.Unknown(), strict)),
    pricesFile: Type.Optional(Type.String({ minLength: 1 })),
    packsDir: Type.Optional(Type.String({ minLength: 1 })),
    callsRetentionDays: Type.Optional(RetentionDays),
    /** Each is checked by itself. */
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
