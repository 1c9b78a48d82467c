import { type Static, Type } from 'typebox'
import { DateTime, Name, Nullable, strict, Usd, UsdAboveZero, withDefault } from '../../http/index.js'
import { BudgetScopeReference, BudgetScopeType } from './scope.js'

const PeriodName = Type.Enum(['daily', 'weekly', 'monthly', 'total'], {
  description:
    'The period of the budget, as a calendar period in UTC. Weeks start on Monday. `total` never ends',
})
const Action = Type.Enum(['block', 'alert'], {
  description: '`block` refuses calls that would exceed the budget. `alert` only sends an alert',
})
const ThresholdPct = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'The percentage of the amount at which an alert is sent',
})
const RowId = Type.String({ minLength: 1, maxLength: 128 })

export const Budget = Type.Object(
  {
    id: Type.String({ examples: ['bud_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    name: Type.String(),
    scope: Type.Object({ type: BudgetScopeType, id: Type.String() }),
    leading: Type.Optional(
      Nullable(
        Type.String(),
        'For a budget that applies to each session or to each value of a tag: the session or value that has spent the most. The figures of the budget are those of this session or value. Null before anything is spent, and for members, who cannot see the calls of others',
      ),
    ),
    amountUsd: Usd('The maximum spend per period, in USD'),
    grantedUsd: Usd('The amount in USD that approved requests have added for the current period'),
    period: PeriodName,
    thresholdPct: ThresholdPct,
    action: Action,
    spentUsd: Usd('The amount in USD spent in the current period: the sum of its receipts'),
    reservedUsd: Usd('The amount in USD that is reserved by calls in progress'),
    remainingUsd: Usd('The amount in USD that is left, never below 0'),
    forecastUsd: Nullable(
      Type.Number({ minimum: 0 }),
      'The expected spend in USD at the end of the period if no limit stops it: the spend so far plus, for each remaining day, the mean of the same weekday in the previous four weeks. Null for `total`, and with less than a week of spend',
    ),
    periodStart: DateTime,
    periodEnd: Nullable(DateTime, 'When the current period ends. Null for `total`'),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  {
    title: 'Budget',
    examples: [
      {
        id: 'bud_01k9zq3w8hcv7m2x4n6p8r0t1y',
        name: 'research, monthly',
        scope: { type: 'team', id: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y' },
        amountUsd: 250,
        grantedUsd: 50,
        period: 'monthly',
        thresholdPct: 80,
        action: 'block',
        spentUsd: 121.408233,
        reservedUsd: 0.0312,
        remainingUsd: 178.560567,
        forecastUsd: 239.7,
        periodStart: '2026-11-01T00:00:00.000Z',
        periodEnd: '2026-12-01T00:00:00.000Z',
        createdAt: '2026-11-15T09:30:00.000Z',
        updatedAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)

export const CreateBudget = Type.Object(
  {
    name: Name(),
    scope: withDefault(BudgetScopeReference, { type: 'tenant' }),
    amountUsd: Usd('The maximum spend per period, in USD'),
    period: withDefault(PeriodName, 'monthly'),
    thresholdPct: withDefault(ThresholdPct, 80),
    action: withDefault(Action, 'block'),
  },
  {
    ...strict,
    title: 'CreateBudget',
    examples: [
      {
        name: 'research, monthly',
        scope: { type: 'team', id: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y' },
        amountUsd: 250,
      },
      { name: 'one run of an agent', scope: { type: 'session', id: '*' }, amountUsd: 5, period: 'total' },
    ],
  },
)

export const UpdateBudget = Type.Partial(
  Type.Object({
    name: Name(),
    amountUsd: Usd('The maximum spend per period, in USD'),
    period: PeriodName,
    thresholdPct: ThresholdPct,
    action: Action,
  }),
  { ...strict, minProperties: 1, title: 'UpdateBudget', examples: [{ amountUsd: 300 }] },
)

const RequestActor = Type.Object({
  keyId: Nullable(
    Type.String(),
    'The key that filed the request. Null for a person who signed in without a key',
  ),
  userId: Nullable(Type.String(), 'The user who owns the key'),
})
export const RequestStatus = Type.Enum(['pending', 'approved', 'denied'])

export const BudgetRequest = Type.Object(
  {
    id: Type.String({ examples: ['breq_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    budgetId: Type.String(),
    amountUsd: Usd('The requested amount in USD'),
    grantedUsd: Nullable(
      Usd('The granted amount in USD, which can be less than the requested amount'),
      'Null unless the request was approved',
    ),
    reason: Type.String(),
    status: RequestStatus,
    requestedBy: RequestActor,
    decidedBy: Nullable(RequestActor, 'Null while the request is pending'),
    decidedAt: Nullable(DateTime, 'Null while the request is pending'),
    note: Nullable(Type.String(), 'A note from the manager'),
    createdAt: DateTime,
  },
  {
    title: 'BudgetRequest',
    examples: [
      {
        id: 'breq_01k9zq3w8hcv7m2x4n6p8r0t1y',
        budgetId: 'bud_01k9zq3w8hcv7m2x4n6p8r0t1y',
        amountUsd: 100,
        grantedUsd: 50,
        reason: 'evaluation of the new model',
        status: 'approved',
        requestedBy: { keyId: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y', userId: 'ada' },
        decidedBy: { keyId: 'key_01k9zq3w8hcv7m2x4n6p8r0t1x', userId: 'grace' },
        decidedAt: '2026-11-15T09:30:00.000Z',
        note: 'half for now',
        createdAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)

const Amount = UsdAboveZero('The requested amount in USD, greater than 0')

export const CreateBudgetRequest = Type.Object(
  {
    budgetId: RowId,
    amountUsd: Amount,
    reason: Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' }),
  },
  {
    ...strict,
    title: 'CreateBudgetRequest',
    examples: [
      { budgetId: 'bud_01k9zq3w8hcv7m2x4n6p8r0t1y', amountUsd: 100, reason: 'evaluation of the new model' },
    ],
  },
)

export const ApproveRequest = Type.Object(
  {
    amountUsd: Type.Optional(
      UsdAboveZero(
        'The amount to grant in USD, at most the requested amount. Defaults to the requested amount',
      ),
    ),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  { ...strict, title: 'ApproveBudgetRequest', examples: [{ amountUsd: 50, note: 'half for now' }] },
)

export type Budget = Static<typeof Budget>
export type CreateBudget = Static<typeof CreateBudget>
export type UpdateBudget = Static<typeof UpdateBudget>
export type BudgetRequest = Static<typeof BudgetRequest>
export type CreateBudgetRequest = Static<typeof CreateBudgetRequest>
export type ApproveRequest = Static<typeof ApproveRequest>
