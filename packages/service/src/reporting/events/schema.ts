import { type Static, type TSchema, Type } from 'typebox'
import { DateTime, Nullable, strict } from '../../http/index.js'
import { Budget } from '../../resources/budgets/index.js'
import { Call } from '../calls/index.js'
import { eventTypes } from './view.js'

const anyTypes = `(${eventTypes.join('|')})`

export const StreamQuery = Type.Object(
  {
    types: Type.Optional(
      Type.String({
        pattern: `^${anyTypes}(,${anyTypes})*$`,
        maxLength: 100,
        'x-expects': `some of ${eventTypes.join(', ')}, with commas between them`,
        description: `Some of \`${eventTypes.join('`, `')}\`, with commas between them. Without it: all that the key may see`,
        examples: ['call,alert'],
      }),
    ),
    lastEventId: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'The id of the last event that was seen: what happened since then comes first. For clients that cannot send the header `Last-Event-ID`, which says the same',
      }),
    ),
    maxSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description:
          'Ends with `bye` after so many seconds. 0: what there is to send now, and no more. Without it the stream stays open',
        examples: [0],
      }),
    ),
  },
  // For the command on the reference page, which must end.
  { ...strict, 'x-sample': 'maxSeconds=1' },
)

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'As `lastEventId`, and before it: what browsers send when they connect again by themselves',
    }),
  ),
})

export const HelloEvent = Type.Object(
  {
    now: DateTime,
    types: Type.Array(Type.Enum([...eventTypes])),
    scope: Type.Enum(['tenant', 'own'], { description: '`own`: of this key, or of its user' }),
    resumed: Type.Boolean({ description: 'What happened since the last event id comes next' }),
    retryMs: Type.Integer({ description: 'How long to wait before connecting again' }),
  },
  { title: 'StreamHello' },
)

export const AlertEvent = Type.Object(
  {
    id: Type.String({ description: 'The same for everyone who receives it' }),
    event: Type.Enum([
      'budget.threshold_reached',
      'budget.request_filed',
      'policy.violation',
      'anomaly.usage_spike',
      'provider.failing',
      'mcp.tool_changed',
    ]),
    created: DateTime,
    data: Type.Object({}, { additionalProperties: true, description: 'As a webhook has it' }),
  },
  { title: 'StreamAlert' },
)

const { id, name, scope, leading, amountUsd, grantedUsd, period, thresholdPct, action } = Budget.properties
const { spentUsd, reservedUsd, remainingUsd, forecastUsd, periodStart, periodEnd } = Budget.properties

export const BudgetEvent = Type.Object(
  {
    ...{ id, name, scope, leading, amountUsd, grantedUsd, period, thresholdPct, action },
    ...{ spentUsd, reservedUsd, remainingUsd, forecastUsd, periodStart, periodEnd },
    share: Type.Number({ description: 'Spent, as a share of the amount with what was granted' }),
    deleted: Type.Boolean({ description: 'It is gone, or out of sight; the rest is as it was last' }),
  },
  { title: 'StreamBudget' },
)

export const ProviderEvent = Type.Object(
  {
    provider: Type.String(),
    status: Type.Enum(['up', 'failing', 'quiet'], {
      description:
        '`failing`: at least three calls of the last minute, and half of them, failed at the provider. `quiet`: no call in the last minute',
    }),
    calls: Type.Integer({ description: 'That ended in the window' }),
    failed: Type.Integer(),
    windowSeconds: Type.Integer(),
  },
  { title: 'StreamProvider' },
)

export const GapEvent = Type.Object(
  {
    message: Type.String(),
    fromSeq: Type.Integer({ description: 'The first entry of the record that was passed over' }),
    toSeq: Type.Integer({ description: 'The last one' }),
    from: Nullable(DateTime, 'When the call of the first was admitted; null where it is no longer kept'),
    to: Nullable(DateTime, 'When the call of the last was admitted'),
    read: Type.String({ description: 'Where the calls of this span are listed' }),
  },
  { title: 'StreamGap' },
)

const FarewellData = Type.Object(
  {
    reason: Type.Enum([
      'shutdown',
      'done',
      'slow_reader',
      'unauthorized',
      'user_suspended',
      'access_changed',
      'internal_error',
    ]),
    message: Type.String(),
    reconnect: Type.Boolean({ description: 'Connecting again, with the last event id, will do' }),
  },
  { title: 'StreamFarewell' },
)

/** The last event of a stream: `bye` when all is well, `error` when the reader must do something. */
export type Farewell = Static<typeof FarewellData> & { event: 'bye' | 'error' }

const Sent = <Name extends string, Data extends TSchema>(event: Name, data: Data, title: string) =>
  Type.Object({ event: Type.Literal(event), id: Type.Optional(Type.String()), data }, { title })

/** The content of an event, after the lines of `event`, `id` and `data` are read. */
export const StreamEvent = Type.Union(
  [
    Sent('hello', HelloEvent, 'StreamHelloEvent'),
    Sent('call', Call, 'StreamCallEvent'),
    Sent('alert', AlertEvent, 'StreamAlertEvent'),
    Sent('budget', BudgetEvent, 'StreamBudgetEvent'),
    Sent('provider', ProviderEvent, 'StreamProviderEvent'),
    Sent('gap', GapEvent, 'StreamGapEvent'),
    Sent('bye', FarewellData, 'StreamByeEvent'),
    Sent('error', FarewellData, 'StreamErrorEvent'),
  ],
  { title: 'StreamEvent' },
)

export type AlertEvent = Static<typeof AlertEvent>
export type BudgetEvent = Static<typeof BudgetEvent>
export type GapEvent = Static<typeof GapEvent>
export type HelloEvent = Static<typeof HelloEvent>
export type ProviderEvent = Static<typeof ProviderEvent>
