import { type Static, type TSchema, Type } from 'typebox'
import { modelSettings } from '../../shared/price-schema.js'
import { defaultLimits, defaultTimeouts } from '../settings/providers/provider-defaults.js'

const Milliseconds = Type.Integer({ minimum: 1, maximum: 86_400_000 })
const strict = { additionalProperties: false }

const describe = <T extends TSchema>(schema: T, description: string, fallback?: unknown): T => ({
  ...schema,
  description,
  ...(fallback !== undefined && { default: fallback }),
})

const TimeoutsSchema = Type.Object(
  {
    connectMs: Type.Optional(
      describe(Milliseconds, 'Until the connection is open', defaultTimeouts.connectMs),
    ),
    firstByteMs: Type.Optional(
      describe(Milliseconds, 'Until the response begins', defaultTimeouts.firstByteMs),
    ),
    idleMs: Type.Optional(
      describe(Milliseconds, 'Between two chunks of the response', defaultTimeouts.idleMs),
    ),
    totalMs: Type.Optional(describe(Milliseconds, 'For the whole call', defaultTimeouts.totalMs)),
    hangUpGraceMs: Type.Optional(
      describe(
        Milliseconds,
        'How long a stream is read for its usage after the caller has disconnected',
        defaultTimeouts.hangUpGraceMs,
      ),
    ),
  },
  strict,
)

const LimitsSchema = Type.Object(
  {
    maxStreamBytes: Type.Optional(
      describe(
        Type.Integer({ minimum: 1_024, maximum: 2 ** 40 }),
        'A larger stream ends with an error',
        defaultLimits.maxStreamBytes,
      ),
    ),
    // An answer is held in memory. The memory budget of a key is at least as large as this maximum.
    maxAnswerBytes: Type.Optional(
      describe(
        Type.Integer({ minimum: 1_024, maximum: 2 ** 27 }),
        'A larger response that is not streamed is refused',
        defaultLimits.maxAnswerBytes,
      ),
    ),
  },
  strict,
)

export const ModelSchema = Type.Object(
  {
    provider: Type.String({ minLength: 1, description: 'Name of the provider' }),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The provider's own name for the model. Default: the key of the entry",
      }),
    ),
    ...Type.Partial(Type.Object(modelSettings)).properties,
  },
  strict,
)

/** The identity of this machine, instead of a key. What it may contain depends on the vendor. */
const IdentitySchema = Type.Object(
  {
    from: Type.Optional(
      Type.String({ minLength: 1, description: 'Where it comes from. Default: the first that there is' }),
    ),
    roleArn: Type.Optional(Type.String({ minLength: 1, description: 'AWS: a role that is assumed with it' })),
    externalId: Type.Optional(
      Type.String({ minLength: 1, description: 'AWS: the external id that this role requires' }),
    ),
    clientId: Type.Optional(Type.String({ minLength: 1, description: 'Azure: a user-assigned identity' })),
  },
  strict,
)

/** A key of a provider: its value, the path of a file with the value, or the identity of this machine. */
const CredentialSchema = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      description: 'Name of the credential',
    }),
    value: Type.Optional(Type.String({ minLength: 1, description: 'The key' })),
    file: Type.Optional(
      Type.String({ minLength: 1, description: 'A file with the key, instead of `value`' }),
    ),
    identity: Type.Optional(IdentitySchema),
    weight: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'Share of the calls, relative to the others',
        default: 1,
      }),
    ),
  },
  strict,
)

export const ProviderSchema = Type.Object(
  {
    type: Type.String({ minLength: 1, description: 'Vendor, or the protocol that the server speaks' }),
    baseUrl: Type.Optional(
      Type.String({
        minLength: 1,
        description: "A query (`?api-version=…`) is sent with every call. Default: the vendor's URL",
      }),
    ),
    apiKey: Type.Optional(Type.String({ description: 'A single key' })),
    credentials: Type.Optional(
      Type.Array(CredentialSchema, {
        minItems: 1,
        maxItems: 100,
        description: 'Several keys, instead of `apiKey`',
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String({ minLength: 1 }), Type.String(), {
        description: 'Headers that are sent with every call',
      }),
    ),
    auth: Type.Optional(
      Type.Enum(['own', 'caller'], {
        description: "`caller`: the caller's own `Authorization` header is forwarded",
        default: 'own',
      }),
    ),
    references: Type.Optional(
      Type.Enum(['issued', 'any'], {
        description:
          '`any`: calls may also name files and responses that were not created through this service',
        default: 'issued',
      }),
    ),
    options: Type.Optional(
      Type.Record(Type.String({ minLength: 1 }), Type.String(), {
        description: 'Options of the type, such as a region, a project or a version',
      }),
    ),
    tenants: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'Tenants that may use it. Default: all',
      }),
    ),
    dialects: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description: 'Endpoints that it serves. Default: those of its type',
      }),
    ),
    pricesOf: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Vendor whose list prices apply. Default: that of the type, otherwise the name of the entry',
      }),
    ),
    timeouts: Type.Optional(TimeoutsSchema),
    limits: Type.Optional(LimitsSchema),
  },
  strict,
)

// A provider's name is the part of `provider/model` before the slash.
const ProviderName = '^[a-z0-9][a-z0-9_-]{0,63}$'
const ModelName = '^\\S{1,200}$'

export const AnchorSchema = Type.Object(
  {
    type: Type.Enum(['none', 'file', 'rfc3161'], { description: 'Where daily checkpoints are kept' }),
    path: Type.Optional(
      Type.String({ minLength: 1, description: 'For `file`. `{day}` in the path makes a file for each day' }),
    ),
    url: Type.Optional(Type.String({ minLength: 1, description: 'For `rfc3161`: the time-stamp authority' })),
  },
  strict,
)

const listOfNames = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 320 }), { maxItems: 1_000, description })

/** Sign-in by OpenID Connect. */
export const OidcSchema = Type.Object(
  {
    issuer: Type.String({ minLength: 1, description: 'URL above `/.well-known/openid-configuration`' }),
    clientId: Type.String({ minLength: 1, description: 'Id of this client at the issuer' }),
    clientSecret: Type.Optional(Type.String({ description: 'Or `TALLYSTICK_OIDC_CLIENT_SECRET`' })),
    tenant: Type.Optional(
      Type.String({ minLength: 1, description: 'Tenant whose users sign in', default: 'default' }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 60,
        description: 'Text on the button. Default: host of the issuer',
      }),
    ),
    managers: Type.Optional(listOfNames('Groups, or email addresses when they contain an @')),
    auditors: Type.Optional(listOfNames('Groups, or email addresses when they contain an @')),
    allowedDomains: Type.Optional(listOfNames('Email domains that may sign in. Default: any')),
    scopes: Type.Optional(
      Type.String({
        pattern: '\\bopenid\\b',
        description: 'Requested scopes',
        default: 'openid profile email',
      }),
    ),
    groupsClaim: Type.Optional(
      Type.String({ minLength: 1, description: "Claim with the user's groups", default: 'groups' }),
    ),
  },
  strict,
)

export const RetentionDays = Type.Integer({
  minimum: 1,
  maximum: 36_500,
  description: 'How long calls can be searched',
  default: 400,
})

/** The structure of the file. Its entries are checked one by one. */
export const OutlineSchema = Type.Object(
  {
    providers: Type.Optional(Type.Record(Type.String({ pattern: ProviderName }), Type.Unknown(), strict)),
    models: Type.Optional(Type.Record(Type.String({ pattern: ModelName }), Type.Unknown(), strict)),
    pricesFile: Type.Optional(
      Type.String({ minLength: 1, description: "Prices in LiteLLM's format, which override the catalogue" }),
    ),
    packsDir: Type.Optional(
      Type.String({ minLength: 1, description: 'Folder with additional compliance packs' }),
    ),
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
