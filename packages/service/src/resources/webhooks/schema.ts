import { type Static, Type } from 'typebox'
import { DateTime, Name, Nullable, strict, withDefault } from '../../http/index.js'
import { eventNames } from './alerts/events.js'

const EndpointName = Name({ description: 'A display name' })
const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    'The URL that deliveries are posted to. Unless the service is a local trial, it must use HTTPS, and private, loopback and link-local addresses are refused',
  examples: ['https://hooks.example.com/tallystick'],
})
const EndpointType = Type.Enum(['generic', 'chat'], {
  description:
    'The format of deliveries. `generic` sends the full envelope, signed. `chat` sends `{ "text": … }` for the incoming webhook of a chat tool, unsigned',
})
const Envelope = Type.Enum(['tallystick', 'cloudevents'], {
  description:
    'For `generic`: what surrounds the data of an event. `cloudevents` is CloudEvents 1.0 in structured JSON mode, with the content type `application/cloudevents+json`. Both are signed in the same way',
})
const EventName = Type.Enum([...eventNames])
const Events = Type.Array(EventName, {
  minItems: 1,
  maxItems: eventNames.length,
  uniqueItems: true,
  description: 'The events to deliver. A test is always sent, whether it is listed or not',
})
const Enabled = Type.Boolean({
  description: 'While false, nothing is sent: pending deliveries wait, and new events create no deliveries',
})
const MaxAttempts = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'The maximum number of attempts. After the last failed attempt, the delivery is `dead`',
})
export const DeliveryStatus = Type.Enum(['pending', 'retrying', 'delivered', 'dead'])
const StatusCode = Nullable(
  Type.Integer(),
  'The status code that the receiver returned. Null without a response',
)
const DeliveryError = Nullable(
  Type.String(),
  'Why the last attempt failed. It never contains text from the receiver',
)

const LastDelivery = Type.Object(
  {
    id: Type.String(),
    event: EventName,
    status: DeliveryStatus,
    statusCode: StatusCode,
    error: DeliveryError,
    at: DateTime,
  },
  { title: 'LastDelivery' },
)

const SecretStatus = Type.Enum(['ok', 'undecryptable'], {
  description:
    '`undecryptable` means that the service does not have the master key that the secret is encrypted with. Nothing is sent unsigned: deliveries are retried. Rotate the secret to fix this',
})

const record = {
  id: Type.String({ examples: ['whe_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
  name: EndpointName,
  url: Url,
  type: EndpointType,
  envelope: Envelope,
  events: Type.Array(EventName),
  enabled: Enabled,
  maxAttempts: MaxAttempts,
  secretStatus: SecretStatus,
  lastDelivery: Nullable(
    LastDelivery,
    'The delivery that was attempted last. Null before the first delivery',
  ),
  lastWeek: Type.Object(
    {
      delivered: Type.Integer({ minimum: 0 }),
      retrying: Type.Integer({ minimum: 0, description: 'Deliveries that failed and will be retried' }),
      dead: Type.Integer({
        minimum: 0,
        description: 'Deliveries that were abandoned after the last attempt',
      }),
    },
    {
      title: 'DeliveryCounts',
      description:
        'The number of deliveries attempted in the last seven days, by status. Tests are not included',
    },
  ),
  previousSecretUntil: Nullable(
    DateTime,
    'Until when the previous secret also signs deliveries. Null if it does not',
  ),
  createdAt: DateTime,
  updatedAt: DateTime,
}
const Secret = Type.String({
  description: 'The secret that signs deliveries. Returned only in this response',
  examples: ['whsec_zVK3rYyZ0pXk2l6gq0kq8Xx9JvL8mF2n1bT5cW7dE4M='],
})

const example = {
  id: 'whe_01k9zq3w8hcv7m2x4n6p8r0t1y',
  name: 'on-call',
  url: 'https://hooks.example.com/tallystick',
  type: 'generic',
  envelope: 'tallystick',
  events: ['budget.threshold_reached', 'policy.violation'],
  enabled: true,
  maxAttempts: 30,
  secretStatus: 'ok',
  lastDelivery: {
    id: 'dlv_019a8d2e7c4b5f0e9d8c7b6a59',
    event: 'budget.threshold_reached',
    status: 'delivered',
    statusCode: 204,
    error: null,
    at: '2026-11-15T09:30:00.000Z',
  },
  lastWeek: { delivered: 41, retrying: 0, dead: 1 },
  previousSecretUntil: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
}

export const WebhookEndpoint = Type.Object(record, { title: 'WebhookEndpoint', examples: [example] })
export const WebhookEndpointWithSecret = Type.Object(
  { ...record, secret: Secret },
  {
    title: 'WebhookEndpointWithSecret',
    examples: [
      { ...example, lastDelivery: null, secret: 'whsec_zVK3rYyZ0pXk2l6gq0kq8Xx9JvL8mF2n1bT5cW7dE4M=' },
    ],
  },
)

export const CreateWebhookEndpoint = Type.Object(
  {
    name: EndpointName,
    url: Url,
    type: EndpointType,
    envelope: withDefault(Envelope, 'tallystick'),
    events: Events,
    enabled: withDefault(Enabled, true),
    maxAttempts: withDefault(MaxAttempts, 30),
  },
  {
    ...strict,
    title: 'CreateWebhookEndpoint',
    examples: [{ name: example.name, url: example.url, type: example.type, events: example.events }],
  },
)

export const UpdateWebhookEndpoint = Type.Partial(
  Type.Object({
    name: EndpointName,
    url: Url,
    type: EndpointType,
    envelope: Envelope,
    events: Events,
    enabled: Enabled,
    maxAttempts: MaxAttempts,
  }),
  { ...strict, minProperties: 1, title: 'UpdateWebhookEndpoint', examples: [{ enabled: false }] },
)

export const RotateSecret = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 720,
        default: 24,
        description:
          'The number of hours for which the old secret also signs deliveries. 0 retires the old secret at once',
      }),
    ),
  },
  { ...strict, title: 'RotateWebhookSecret', examples: [{ overlapHours: 24 }] },
)

export const TestOutcome = Type.Object(
  {
    delivered: Type.Boolean(),
    error: Nullable(
      Type.String(),
      'The status code that the receiver returned, or what failed. It never contains the receiver’s body',
    ),
  },
  { title: 'WebhookTest', examples: [{ delivered: false, error: 'The receiver answered 503' }] },
)

export const WebhookDelivery = Type.Object(
  {
    id: Type.String({
      description: 'The value of `X-Tallystick-Delivery-Id`. It is the same for every attempt',
    }),
    event: EventName,
    status: DeliveryStatus,
    attempts: Type.Integer({ minimum: 0, description: 'The number of attempts whose outcome is known' }),
    statusCode: StatusCode,
    error: DeliveryError,
    data: Type.Object({}, { additionalProperties: true, description: 'The `data` of the envelope' }),
    createdAt: DateTime,
    lastAttemptAt: Nullable(DateTime, 'When the last attempt was made. Null before the first attempt'),
    nextAttemptAt: Nullable(
      DateTime,
      'When the next attempt is made. Null if the delivery is `delivered` or `dead`',
    ),
  },
  {
    title: 'WebhookDelivery',
    examples: [
      {
        id: 'dlv_019a8d2e7c4b5f0e9d8c7b6a59',
        event: 'budget.threshold_reached',
        status: 'retrying',
        attempts: 2,
        statusCode: 503,
        error: 'The receiver answered 503',
        data: {
          message: 'Budget "research" has reached 80 % of USD 250: USD 201.4 spent',
          virtual_key_id: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y',
          spent_usd: 201.4,
          budget_usd: 250,
          threshold_pct: 80,
        },
        createdAt: '2026-11-15T09:30:00.000Z',
        lastAttemptAt: '2026-11-15T09:30:05.000Z',
        nextAttemptAt: '2026-11-15T09:30:14.210Z',
      },
    ],
  },
)

const deliveryExample = {
  id: 'dlv_019a8d2e7c4b5f0e9d8c7b6a59',
  event: 'webhook.test',
  status: 'dead',
  attempts: 1,
  statusCode: 503,
  error: 'The receiver answered 503',
  data: { message: 'This is a test of the webhook endpoint "on-call"' },
  createdAt: '2026-11-15T09:30:00.000Z',
  lastAttemptAt: '2026-11-15T09:30:00.312Z',
  nextAttemptAt: null,
}

export const WebhookDeliveryDetail = Type.Object(
  {
    ...WebhookDelivery.properties,
    body: Type.String({
      description:
        'The body that is sent with the current settings of the endpoint. Every attempt sends the same bytes',
    }),
    history: Type.Array(
      Type.Object({
        at: DateTime,
        durationMs: Type.Integer({
          minimum: 0,
          description: 'The time in milliseconds until the response, or until the attempt was abandoned',
        }),
        statusCode: StatusCode,
        error: Nullable(
          Type.String(),
          'Why the attempt failed. It never contains text from the receiver. Null for a successful attempt',
        ),
      }),
      {
        description:
          'The attempts whose outcome is known, oldest first, at most the newest 200. Includes the attempts before a manual retry',
      },
    ),
  },
  {
    title: 'WebhookDeliveryDetail',
    examples: [
      {
        ...deliveryExample,
        body: '{"id":"dlv_019a8d2e7c4b5f0e9d8c7b6a59","event":"webhook.test","created":"2026-11-15T09:30:00.000Z","data":{"message":"This is a test of the webhook endpoint \\"on-call\\""}}',
        history: [
          {
            at: '2026-11-15T09:30:00.312Z',
            durationMs: 310,
            statusCode: 503,
            error: 'The receiver answered 503',
          },
        ],
      },
    ],
  },
)

export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>
export type WebhookEndpoint = Static<typeof WebhookEndpoint>
export type CreateWebhookEndpoint = Static<typeof CreateWebhookEndpoint>
export type UpdateWebhookEndpoint = Static<typeof UpdateWebhookEndpoint>
export type WebhookDelivery = Static<typeof WebhookDelivery>
