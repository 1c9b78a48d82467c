import { type Static, Type } from 'typebox'
import {
  AllowedTools,
  DateTime,
  Email,
  Name,
  Nullable,
  RoleName,
  SearchText,
  strict,
  Usd,
  UserId,
  withDefault,
} from '../../http/index.js'

const TeamName = Name()
const BudgetPool = Usd('The maximum spend in USD of all keys of the team together, per calendar month')

export const Team = Type.Object(
  {
    id: Type.String({ examples: ['team_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    tenantId: Type.String(),
    name: Type.String(),
    budgetPoolUsd: BudgetPool,
    allowedTools: AllowedTools,
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  {
    title: 'Team',
    examples: [
      {
        id: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y',
        tenantId: 'tenant_01k9zq3w8hcv7m2x4n6p8r0t1y',
        name: 'research',
        budgetPoolUsd: 500,
        allowedTools: null,
        createdAt: '2026-11-15T09:30:00.000Z',
        updatedAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)

export const CreateTeam = Type.Object(
  { name: TeamName, budgetPoolUsd: BudgetPool, allowedTools: withDefault(AllowedTools, null) },
  { ...strict, title: 'CreateTeam', examples: [{ name: 'research', budgetPoolUsd: 500 }] },
)
export const UpdateTeam = Type.Partial(
  Type.Object({ name: TeamName, budgetPoolUsd: BudgetPool, allowedTools: AllowedTools }),
  {
    ...strict,
    minProperties: 1,
    title: 'UpdateTeam',
    examples: [{ budgetPoolUsd: 750 }],
  },
)

export const Member = Type.Object(
  {
    userId: Type.String(),
    name: Nullable(Type.String(), 'The display name of the user'),
    email: Nullable(Type.String(), 'The email address of the user'),
    teamId: Nullable(Type.String(), 'The team of the user. A user belongs to at most one team'),
    role: RoleName,
    status: Type.Enum(['active', 'suspended']),
    createdAt: DateTime,
  },
  {
    title: 'Member',
    examples: [
      {
        userId: 'ada',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        teamId: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y',
        role: 'member',
        status: 'active',
        createdAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)

/** Filters of the lists of users: as members, and by their limits. */
export const MemberFilterQuery = {
  teamId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Return only members of this team' }),
  ),
  role: Type.Optional(RoleName),
  status: Type.Optional(Type.Enum(['active', 'suspended'])),
  q: SearchText('their user id, name or email address'),
}

const DisplayName = Nullable(Name(), 'The display name of the user')
const MemberEmail = Nullable(Email, 'The email address of the user')
const TeamId = Nullable(
  Type.String({ minLength: 1, maxLength: 64 }),
  'The team of the user. A user belongs to at most one team. Null means no team',
)

export const CreateMember = Type.Object(
  {
    userId: UserId,
    name: withDefault(DisplayName, null),
    email: withDefault(MemberEmail, null),
    teamId: withDefault(TeamId, null),
    role: withDefault(RoleName, 'member'),
  },
  {
    ...strict,
    title: 'CreateMember',
    examples: [{ userId: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }],
  },
)
export const UpdateMember = Type.Partial(
  Type.Object({ name: DisplayName, email: MemberEmail, teamId: TeamId }),
  {
    ...strict,
    minProperties: 1,
    title: 'UpdateMember',
    examples: [{ teamId: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y' }],
  },
)
export const UpdateRole = Type.Object(
  { role: RoleName },
  { ...strict, title: 'UpdateRole', examples: [{ role: 'manager' }] },
)

export type Team = Static<typeof Team>
export type CreateTeam = Static<typeof CreateTeam>
export type UpdateTeam = Static<typeof UpdateTeam>
export type Member = Static<typeof Member>
export type CreateMember = Static<typeof CreateMember>
export type UpdateMember = Static<typeof UpdateMember>
