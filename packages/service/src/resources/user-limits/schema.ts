import { type Static, Type } from 'typebox'
import { AllowedTools, DateTime, strict, Usd } from '../../http/index.js'

const AllowedModels = Type.Union(
  [Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 }), Type.Null()],
  {
    description:
      'The models that may be used: names, or prefixes that end in `*`. Null allows all models, `[]` allows none',
  },
)
const BudgetCap = Type.Union([Usd('USD'), Type.Null()], {
  description:
    'The maximum spend in USD of all keys of the user together, per calendar month. Null means no cap',
})
const Status = Type.Enum(['active', 'suspended'])

export const UserLimit = Type.Object(
  {
    userId: Type.String(),
    allowedModels: AllowedModels,
    allowedTools: AllowedTools,
    budgetCapUsd: BudgetCap,
    status: Status,
    spentUsd: Usd('The amount in USD that all keys of the user have spent in the current month'),
    periodStart: DateTime,
    periodEnd: DateTime,
    updatedAt: DateTime,
  },
  {
    title: 'UserLimit',
    examples: [
      {
        userId: 'ada',
        allowedModels: ['gpt-4o*', 'claude-*'],
        allowedTools: null,
        budgetCapUsd: 100,
        status: 'active',
        spentUsd: 12.5,
        periodStart: '2026-11-01T00:00:00.000Z',
        periodEnd: '2026-12-01T00:00:00.000Z',
        updatedAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)

export const UpdateUserLimit = Type.Partial(
  Type.Object({
    allowedModels: AllowedModels,
    allowedTools: AllowedTools,
    budgetCapUsd: BudgetCap,
    status: Status,
  }),
  {
    ...strict,
    minProperties: 1,
    title: 'UpdateUserLimit',
    examples: [{ budgetCapUsd: 100, status: 'active' }],
  },
)

export type UserLimit = Static<typeof UserLimit>
export type UpdateUserLimit = Static<typeof UpdateUserLimit>
