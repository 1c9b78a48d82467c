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
        'x-expects': `a comma-separated list of ${eventTypes.join(', ')}`,
        description: `The types of events to send, separated by commas: \`${eventTypes.join('`, `')}\`. By default, all types that the key may see`,
        examples: ['call,alert'],
      }),
    ),
    lastEventId: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'The id of the last received event: the stream continues after it. For clients that cannot send the header `Last-Event-ID`',
      }),
    ),
    maxSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description:
          'Ends the stream with `bye` after this many seconds. With 0, it ends after everything available was sent. Without it, the stream stays open',
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
        'Like `lastEventId`, and takes precedence: browsers send it when they reconnect automatically',
    }),
  ),
})

export const HelloEvent = Type.Object(
  {
    now: DateTime,
    types: Type.Array(Type.Enum([...eventTypes])),
    scope: Type.Enum(['tenant', 'own'], {
      description: '`own` means that the stream contains only data of this key or its user',
    }),
    resumed: Type.Boolean({ description: 'True when the stream continues after the last event id' }),
    retryMs: Type.Integer({ description: 'The time to wait before reconnecting, in milliseconds' }),
  },
  { title: 'StreamHello' },
)

export const AlertEvent = Type.Object(
  {
    id: Type.String({ description: 'The id of the alert. It is the same for all readers' }),
    event: Type.Enum([
      'budget.threshold_reached',
      'budget.request_filed',
      'policy.violation',
      'anomaly.usage_spike',
      'provider.failing',
      'mcp.tool_changed',
      'record.refused',
    ]),
    created: DateTime,
    data: Type.Object(
      {},
      { additionalProperties: true, description: 'The data of the event, as in a webhook' },
    ),
  },
  { title: 'StreamAlert' },
)

const { id, name, scope, leading, amountUsd, grantedUsd, period, thresholdPct, action } = Budget.properties
const { spentUsd, reservedUsd, remainingUsd, forecastUsd, periodStart, periodEnd } = Budget.properties

export const BudgetEvent = Type.Object(
  {
    ...{ id, name, scope, leading, amountUsd, grantedUsd, period, thresholdPct, action },
    ...{ spentUsd, reservedUsd, remainingUsd, forecastUsd, periodStart, periodEnd },
    share: Type.Number({ description: 'The amount spent, as a share of the amount including grants' }),
    deleted: Type.Boolean({
      description:
        'True if the budget was deleted or is no longer visible. The other fields are then its last state',
    }),
  },
  { title: 'StreamBudget' },
)

export const ProviderEvent = Type.Object(
  {
    provider: Type.String(),
    status: Type.Enum(['up', 'failing', 'quiet'], {
      description:
        '`failing` means that at least three calls, and at least half of all calls, of the last minute failed at the provider. `quiet` means that there was no call in the last minute',
    }),
    calls: Type.Integer({ description: 'The number of calls that ended in the window' }),
    failed: Type.Integer(),
    windowSeconds: Type.Integer(),
  },
  { title: 'StreamProvider' },
)

export const GapEvent = Type.Object(
  {
    message: Type.String(),
    fromSeq: Type.Integer({ description: 'The number of the first skipped entry of the record' }),
    toSeq: Type.Integer({ description: 'The number of the last skipped entry' }),
    from: Nullable(DateTime, 'When the first skipped call was admitted. Null if it is no longer stored'),
    to: Nullable(DateTime, 'When the last skipped call was admitted'),
    read: Type.String({ description: 'The URL that lists the skipped calls' }),
  },
  { title: 'StreamGap' },
)

const StreamEndData = Type.Object(
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
    reconnect: Type.Boolean({ description: 'True when the client should reconnect with the last event id' }),
  },
  { title: 'StreamFarewell' },
)

/** The last event of a stream: `bye` when all is well, `error` when the reader must do something. */
export type StreamEnd = Static<typeof StreamEndData> & { event: 'bye' | 'error' }

const EventSchema = <Name extends string, Data extends TSchema>(event: Name, data: Data, title: string) =>
  Type.Object({ event: Type.Literal(event), id: Type.Optional(Type.String()), data }, { title })

/** The content of an event, after the lines of `event`, `id` and `data` are read. */
export const StreamEvent = Type.Union(
  [
    EventSchema('hello', HelloEvent, 'StreamHelloEvent'),
    EventSchema('call', Call, 'StreamCallEvent'),
    EventSchema('alert', AlertEvent, 'StreamAlertEvent'),
    EventSchema('budget', BudgetEvent, 'StreamBudgetEvent'),
    EventSchema('provider', ProviderEvent, 'StreamProviderEvent'),
    EventSchema('gap', GapEvent, 'StreamGapEvent'),
    EventSchema('bye', StreamEndData, 'StreamByeEvent'),
    EventSchema('error', StreamEndData, 'StreamErrorEvent'),
  ],
  { title: 'StreamEvent' },
)

export type AlertEvent = Static<typeof AlertEvent>
export type BudgetEvent = Static<typeof BudgetEvent>
export type GapEvent = Static<typeof GapEvent>
export type HelloEvent = Static<typeof HelloEvent>
export type ProviderEvent = Static<typeof ProviderEvent>
