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

const KeyName = Name({ description: 'What the key is for' })
// Written by hand, because a record type cannot limit its names.
const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: { type: 'string', minLength: 1, maxLength: 64 },
  additionalProperties: { type: 'string', maxLength: 512 },
  maxProperties: 64,
  description: 'Your own labels',
})
const RpmLimit = Nullable(
  Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  'Requests per rolling minute; null = no limit',
)
const TpmLimit = Nullable(
  Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  'Tokens per rolling minute; null = no limit. A call that may use more than that by itself is refused with 400',
)
const AllowedModels = Nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 }),
  'Model names, or prefixes with a trailing `*`; null = all, [] = none',
)

export const Key = Type.Object(
  {
    id: Type.String({ examples: ['key_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    name: Type.String(),
    role: RoleName,
    userId: Nullable(Type.String(), 'Owner of the key'),
    teamId: Nullable(Type.String(), 'Team the key spends for; else its owner’s'),
    rpmLimit: RpmLimit,
    tpmLimit: TpmLimit,
    allowedModels: AllowedModels,
    allowedTools: AllowedTools,
    status: Status,
    hint: Type.String({ description: 'The last four characters of the value' }),
    metadata: Metadata,
    createdAt: DateTime,
    createdBy: Type.String({ description: 'Id of the key that made it, or `operator`' }),
    expiresAt: Nullable(DateTime, 'From then on the key is refused'),
    lastUsedAt: Nullable(DateTime, 'To within a few seconds'),
    revokedAt: Nullable(DateTime, 'Set when the key was revoked'),
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
  { ...Key.properties, key: Type.String({ description: 'The value: shown this once, stored nowhere' }) },
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
  userId: Nullable(UserId, 'Owner; a new user id makes that member'),
  teamId: Nullable(Type.String({ maxLength: 64 }), 'Team that the key spends for'),
  rpmLimit: RpmLimit,
  tpmLimit: TpmLimit,
  allowedModels: AllowedModels,
  allowedTools: AllowedTools,
  expiresAt: Nullable(DateTime, 'A time in the future; null = never'),
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
