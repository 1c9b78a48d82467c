import { type Static, Type } from 'typebox'
import { DateTime, Name, Nullable, strict, Usd, UsdAboveZero, withDefault } from '../../http/index.js'
import { BudgetScopeReference, BudgetScopeType } from './scope.js'

const PeriodName = Type.Enum(['daily', 'weekly', 'monthly', 'total'], {
  description: 'Calendar periods in UTC; weeks start on Monday; `total` never ends',
})
const Action = Type.Enum(['block', 'alert'], {
  description: '`block` refuses calls that do not fit; `alert` only notifies',
})
const ThresholdPct = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Percentage of the amount at which an alert is sent',
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
        'Only of a budget for each session or each value of a tag: the one that has spent the most, whose figures these are. Null for members, who do not see the calls of others, and before anything is spent',
      ),
    ),
    amountUsd: Usd('What may be spent in a period'),
    grantedUsd: Usd('Added for the current period by approved requests'),
    period: PeriodName,
    thresholdPct: ThresholdPct,
    action: Action,
    spentUsd: Usd('Spent in the current period: the sum of its receipts'),
    reservedUsd: Usd('Held by calls in progress'),
    remainingUsd: Usd('What is left; never below 0'),
    forecastUsd: Nullable(
      Type.Number({ minimum: 0 }),
      'What will be spent at the end of the period, if nothing stops it: what is spent, and for each day that is left the mean of the same weekday in the four weeks before. Null with less than a week of spend to go by, and for `total`',
    ),
    periodStart: DateTime,
    periodEnd: Nullable(DateTime, 'Null for `total`'),
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
    amountUsd: Usd('What may be spent in a period'),
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
    amountUsd: Usd('What may be spent in a period'),
    period: PeriodName,
    thresholdPct: ThresholdPct,
    action: Action,
  }),
  { ...strict, minProperties: 1, title: 'UpdateBudget', examples: [{ amountUsd: 300 }] },
)

const RequestActor = Type.Object({
  keyId: Nullable(Type.String(), 'Null for a person who signed in without a key'),
  userId: Nullable(Type.String(), 'Owner of the key'),
})
export const RequestStatus = Type.Enum(['pending', 'approved', 'denied'])

export const BudgetRequest = Type.Object(
  {
    id: Type.String({ examples: ['breq_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    budgetId: Type.String(),
    amountUsd: Usd('The requested amount'),
    grantedUsd: Nullable(Usd('The granted amount, which may be less'), 'Null unless approved'),
    reason: Type.String(),
    status: RequestStatus,
    requestedBy: RequestActor,
    decidedBy: Nullable(RequestActor, 'Null while pending'),
    decidedAt: Nullable(DateTime, 'Null while pending'),
    note: Nullable(Type.String(), 'A note by the manager'),
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

const Amount = UsdAboveZero('USD, more than 0')

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
    amountUsd: Type.Optional(UsdAboveZero('At most the requested amount, which is the default')),
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
