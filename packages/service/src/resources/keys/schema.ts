import { type Static, Type } from 'typebox'
import {
  AllowedTools,
  DateTime,
  Name,
  Nullable,
  RoleName,
  strict,
  UserId,
  withDefault,
} from '../../http/index.js'

export const Status = Type.Enum(['active', 'revoked', 'expired'])

const KeyName = Name({ description: 'A name that says what the key is for' })
// Written by hand, because a record type cannot limit its names.
const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: { type: 'string', minLength: 1, maxLength: 64 },
  additionalProperties: { type: 'string', maxLength: 512 },
  maxProperties: 64,
  description: 'Key-value pairs of your choice',
})
const RpmLimit = Nullable(
  Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  'The maximum number of requests in any rolling minute. Null means no limit',
)
const TpmLimit = Nullable(
  Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  'The maximum number of tokens in any rolling minute. Null means no limit. A single call that can use more than the limit is refused with 400',
)
const AllowedModels = Nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 }),
  'The models that may be used: names, or prefixes that end in `*`. Null allows all models, `[]` allows none',
)

export const Key = Type.Object(
  {
    id: Type.String({ examples: ['key_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    name: Type.String(),
    role: RoleName,
    userId: Nullable(Type.String(), 'The user who owns the key'),
    teamId: Nullable(Type.String(), 'The team that the key spends for. Null means the team of its owner'),
    rpmLimit: RpmLimit,
    tpmLimit: TpmLimit,
    allowedModels: AllowedModels,
    allowedTools: AllowedTools,
    status: Status,
    hint: Type.String({ description: 'The last four characters of the key’s value' }),
    metadata: Metadata,
    createdAt: DateTime,
    createdBy: Type.String({ description: 'The id of the key that created this one, or `operator`' }),
    expiresAt: Nullable(DateTime, 'When the key expires. It is refused from then on'),
    lastUsedAt: Nullable(DateTime, 'When the key was last used, to within a few seconds'),
    revokedAt: Nullable(DateTime, 'When the key was revoked. Null for a key that is not revoked'),
  },
  {
    title: 'Key',
    examples: [
      {
        id: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y',
        name: 'nightly job',
        role: 'member',
        userId: 'ada',
        teamId: null,
        rpmLimit: 20,
        tpmLimit: 500000,
        allowedModels: ['gpt-4o*'],
        allowedTools: null,
        status: 'active',
        hint: 'x7Qk',
        metadata: { service: 'reports' },
        createdAt: '2026-11-15T09:30:00.000Z',
        createdBy: 'key_01k9zq3w8hcv7m2x4n6p8r0t1x',
        expiresAt: null,
        lastUsedAt: '2026-11-15T09:30:00.000Z',
        revokedAt: null,
      },
    ],
  },
)

export const CreatedKey = Type.Object(
  {
    ...Key.properties,
    key: Type.String({ description: 'The value of the key. Returned only in this response and not stored' }),
  },
  {
    title: 'CreatedKey',
    examples: [
      {
        id: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y',
        name: 'nightly job',
        role: 'member',
        userId: 'ada',
        teamId: null,
        rpmLimit: 20,
        tpmLimit: 500000,
        allowedModels: ['gpt-4o*'],
        allowedTools: null,
        status: 'active',
        hint: 'x7Qk',
        metadata: { service: 'reports' },
        createdAt: '2026-11-15T09:30:00.000Z',
        createdBy: 'key_01k9zq3w8hcv7m2x4n6p8r0t1x',
        expiresAt: null,
        lastUsedAt: '2026-11-15T09:30:00.000Z',
        revokedAt: null,
        key: 'tallystick_sk_…',
      },
    ],
  },
)

const writable = {
  name: KeyName,
  role: RoleName,
  userId: Nullable(UserId, 'The user who owns the key. An unknown user id creates that member'),
  teamId: Nullable(Type.String({ maxLength: 64 }), 'The team that the key spends for'),
  rpmLimit: RpmLimit,
  tpmLimit: TpmLimit,
  allowedModels: AllowedModels,
  allowedTools: AllowedTools,
  expiresAt: Nullable(DateTime, 'When the key expires: a time in the future. Null means never'),
  metadata: Metadata,
}

const limits = Type.Object({ rpmLimit: RpmLimit, tpmLimit: TpmLimit }, strict)

export const CreateKey = Type.Object(
  {
    name: KeyName,
    role: withDefault(writable.role, 'member'),
    userId: withDefault(writable.userId, null),
    teamId: withDefault(writable.teamId, null),
    rpmLimit: withDefault(RpmLimit, null),
    tpmLimit: withDefault(TpmLimit, null),
    allowedModels: withDefault(AllowedModels, null),
    allowedTools: withDefault(AllowedTools, null),
    expiresAt: withDefault(writable.expiresAt, null),
    metadata: withDefault(Metadata, {}),
  },
  {
    ...strict,
    title: 'CreateKey',
    examples: [{ name: 'nightly job', userId: 'ada', rpmLimit: 20, tpmLimit: 500000 }],
  },
)
export const UpdateKey = Type.Partial(Type.Object(writable), {
  ...strict,
  minProperties: 1,
  title: 'UpdateKey',
  examples: [{ rpmLimit: 60, allowedModels: ['gpt-4o*'] }],
})
export const UpdateLimits = Type.Partial(limits, {
  ...strict,
  minProperties: 1,
  title: 'UpdateLimits',
  examples: [{ rpmLimit: 60, tpmLimit: null }],
})
export const KeyLimits = Type.Object(
  { id: Type.String(), rpmLimit: RpmLimit, tpmLimit: TpmLimit },
  { title: 'KeyLimits', examples: [{ id: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y', rpmLimit: 60, tpmLimit: null }] },
)

export type Key = Static<typeof Key>
export type CreateKey = Static<typeof CreateKey>
export type UpdateKey = Static<typeof UpdateKey>
