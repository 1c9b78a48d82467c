import { type TProperties, Type } from 'typebox'
import { DateTime, Nullable, type WebhookDescriptions } from '../../../http/index.js'
import type { EventName } from './events.js'

// The content of deliveries, for the API description. Tests compare every received delivery with it.

const message = Type.String({ description: 'A message for people' })
const Scope = Type.Object({ type: Type.String(), id: Type.String() })
const Budget = Type.Object({
  id: Nullable(Type.String(), 'Null if the limit is the pool of a team or the cap of a user'),
  name: Type.String(),
  scope: Scope,
})
const KeyId = Nullable(Type.String(), 'The virtual key. Null if it is unknown')
const UserId = Nullable(Type.String(), 'The user. Null for a key without an owner')

interface Payload {
  summary: string
  data: TProperties
  example: object
}

const keyId = 'key_01k9zq3w8hcv7m2x4n6p8r0t1y'
const budget = {
  id: 'bud_01k9zq3w8hcv7m2x4n6p8r0t1y',
  name: 'research',
  scope: { type: 'team', id: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y' },
}

const payloads: Record<EventName, Payload> = {
  'budget.threshold_reached': {
    summary: 'The spend of a budget has reached its threshold',
    data: {
      message,
      virtual_key_id: Type.String({
        description: 'The key whose call crossed the threshold. Empty if it is unknown',
      }),
      spent_usd: Type.Number(),
      budget_usd: Type.Number({ description: 'The budget in USD, including granted amounts' }),
      threshold_pct: Type.Integer(),
      budget: Budget,
    },
    example: {
      message: 'Budget "research" has reached 80 % of USD 250: USD 201.4 spent',
      ...{ virtual_key_id: keyId, spent_usd: 201.4, budget_usd: 250, threshold_pct: 80, budget },
    },
  },
  'budget.request_filed': {
    summary: 'Someone has requested more budget',
    data: {
      message,
      request_id: Type.String(),
      virtual_key_id: KeyId,
      user_id: UserId,
      amount_usd: Type.Number(),
      reason: Type.String(),
      budget: Budget,
    },
    example: {
      message: 'ada requests USD 100 more for budget "research": evaluation runs',
      ...{ request_id: 'breq_01k9zq3w8hcv7m2x4n6p8r0t1y', virtual_key_id: keyId, user_id: 'ada' },
      ...{ amount_usd: 100, reason: 'evaluation runs', budget },
    },
  },
  'policy.violation': {
    summary: 'A policy, or an allowlist of models or tools, has blocked a call',
    data: {
      message,
      virtual_key_id: KeyId,
      user_id: UserId,
      policy_id: Nullable(Type.String(), 'The id of the policy. Null if an allowlist blocked the call'),
      policy_name: Nullable(Type.String(), 'The name of the policy. Null if an allowlist blocked the call'),
      check: Type.String(),
      model: Nullable(Type.String(), 'The model or tool that was called'),
      receipt_seq: Type.Integer(),
    },
    example: {
      message: 'Policy "No secrets" (secrets) blocked a call to the model gpt-4o-mini',
      ...{ virtual_key_id: keyId, user_id: 'ada', policy_id: 'pol_01k9zq3w8hcv7m2x4n6p8r0t1y' },
      ...{ policy_name: 'No secrets', check: 'secrets', model: 'gpt-4o-mini', receipt_seq: 4711 },
    },
  },
  'anomaly.usage_spike': {
    summary: 'The last hour had at least 20 calls, and at least three times the baseline',
    data: {
      message,
      requests_last_hour: Type.Integer(),
      baseline_per_hour: Type.Number(),
      ratio: Type.Number({
        description: 'The ratio to the baseline. A baseline of zero counts as one call per hour',
      }),
      hour: DateTime,
    },
    example: {
      message: '120 calls in the last hour, against 12.5 an hour in the 24 hours before',
      ...{ requests_last_hour: 120, baseline_per_hour: 12.5, ratio: 9.6, hour: '2026-11-15T09:00:00.000Z' },
    },
  },
  'provider.failing': {
    summary: 'A provider has refused one of its credentials',
    data: {
      message,
      provider_id: Type.String(),
      provider_name: Type.String(),
      credential_id: Type.String(),
      status: Type.Integer({ description: 'The status code that the provider returned' }),
    },
    example: {
      message: 'It refused our credential (provider "openai")',
      ...{ provider_id: 'openai', provider_name: 'openai', credential_id: 'openai', status: 401 },
    },
  },
  'mcp.tool_changed': {
    summary: 'A tool of an MCP server was added, changed or removed',
    data: {
      message,
      server: Type.Object({ id: Type.String(), name: Type.String() }),
      tool: Type.String(),
      state: Type.Enum(['changed', 'new', 'gone']),
      hash: Type.String({ description: 'The SHA-256 of the definition' }),
      previous_hash: Nullable(
        Type.String(),
        'The SHA-256 of the previous definition. Null if there was none',
      ),
    },
    example: {
      message: 'The tool read of the MCP server files is new: somebody has to approve it',
      server: { id: 'mcp_01k9zq3w8hcv7m2x4n6p8r0t1y', name: 'files' },
      ...{ tool: 'read', state: 'new', hash: '9f86d081884c7d65', previous_hash: null },
    },
  },
  'record.refused': {
    summary: 'The record is not signed, because the database was restored to an earlier moment',
    data: {
      message,
      sealed_size: Type.Integer({ description: 'The number of entries that had been signed' }),
      sealed_at: DateTime,
    },
    example: {
      message:
        'The record was signed up to entry 18044 by 2026-11-15T09:30:00.000Z, and the database no longer has all of it. Calls get 503 until an operator runs tallystick record accept-restore',
      ...{ sealed_size: 18_044, sealed_at: '2026-11-15T09:30:00.000Z' },
    },
  },
  'webhook.test': {
    summary: 'A manager has requested a test',
    data: { message },
    example: { message: 'This is a test of the webhook endpoint "on-call"' },
  },
}

const eventsAndPayloads = Object.entries(payloads)

/** `BudgetThresholdReached` for `budget.threshold_reached`. */
const titleOf = (event: string): string =>
  event.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

const envelopes = eventsAndPayloads.map(([event, { summary, data, example }]) => {
  const id = 'dlv_019a8d2e7c4b5f0e9d8c7b6a59'
  const schema = Type.Object(
    {
      id: Type.String({ description: 'The id of the delivery. It is the same for every attempt' }),
      event: Type.Literal(event),
      created: DateTime,
      data: Type.Object(data),
    },
    {
      title: `${titleOf(event)}Event`,
      examples: [{ id, event, created: '2026-11-15T09:30:00.000Z', data: example }],
    },
  )
  return { event, summary, schema }
})

const ChatMessage = Type.Object(
  { text: Type.String() },
  {
    title: 'ChatMessage',
    examples: [{ text: '*Tallystick · webhook.test*\nThis is a test of the webhook endpoint "on-call"' }],
  },
)

const header = (name: string, description: string, required = true) => ({
  ...{ name, in: 'header', required, description },
  schema: { type: 'string' },
})
const everyDelivery = [
  header('X-Tallystick-Delivery-Id', 'The id of the delivery. It is the same for every attempt'),
  header('X-Tallystick-Event', 'The name of the event'),
]
const signature = [
  header(
    'X-Tallystick-Signature',
    '`t=<seconds>,v1=<hex>`: the HMAC-SHA-256 of `<t>.<body>`. There is one `v1` for each valid secret',
  ),
  header('webhook-id', 'Standard Webhooks: the id of the delivery'),
  header('webhook-timestamp', 'Standard Webhooks: the time of the attempt, in seconds since the Unix epoch'),
  header('webhook-signature', 'Standard Webhooks: `v1,<base64>`, once for each valid secret'),
]
const responses = {
  '2XX': { description: 'The delivery was received' },
  '3XX': { description: 'Redirects are not followed. The delivery is retried' },
  '4XX': { description: 'The delivery is retried' },
  '5XX': { description: 'The delivery is retried' },
}

/** The `webhooks` of the API description: one for each event, and the message of any event at a chat endpoint. */
export function describeWebhooks(): WebhookDescriptions {
  const described = envelopes.map(({ event, summary, schema }) => [
    event,
    describePost(`on${titleOf(event)}`, summary, schema, [...everyDelivery, ...signature]),
  ])
  return {
    ...Object.fromEntries(described),
    chat: describePost(
      'onChatMessage',
      'Any event, delivered to an endpoint of type `chat`',
      ChatMessage,
      everyDelivery,
    ),
  }
}

const describePost = (operationId: string, summary: string, schema: object, parameters: object[]) => ({
  post: {
    operationId,
    summary,
    description:
      'Respond with 2xx within 10 seconds. Deliveries can arrive more than once and in any order. Use the id to detect duplicates.',
    tags: ['Webhooks'],
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses,
  },
})

/** The schemas of envelopes, by event. */
export const envelopeSchemas: ReadonlyMap<string, (typeof envelopes)[number]['schema']> = new Map(
  envelopes.map(({ event, schema }) => [event, schema]),
)
