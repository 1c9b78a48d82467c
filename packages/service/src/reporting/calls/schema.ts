import { type Static, type TSchema, Type } from 'typebox'
import { DateTime, Nullable, PageQuery, strict, TimeFilter, Usd } from '../../http/index.js'
import { entryOutcomes } from '../../record/index.js'
import { CallContentRecord } from '../../resources/content/index.js'
import { serviceFaults } from '../../shared/errors.js'
import { maxTagValueLength, tagNamePattern } from '../../shared/tags.js'
import { stageNames } from './stage-times.js'

const Id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 128, description }))

const outcomes = [...entryOutcomes]

const filters = {
  from: TimeFilter('Return only calls admitted at or after this time'),
  to: TimeFilter('Return only calls admitted before this time'),
  keyId: Id('Return only calls made with this key'),
  userId: Id('Return only calls made by this user'),
  teamId: Id('Return only calls that count for this team'),
  provider: Id('Return only calls answered by this provider'),
  model: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'Return only calls of this model, by its canonical name (`gpt-4o`) or with a provider (`openai/gpt-4o`). Calls that used an alias are found under the model',
    }),
  ),
  kind: Type.Optional(
    Type.Enum(['model', 'tool'], { description: 'Return only calls of models, or only calls of tools' }),
  ),
  server: Id('Return only calls of tools of this server'),
  tool: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'Return only calls of this tool, by its own name (`read`) or with its server (`files__read`). The URI of a resource or the name of a prompt also works',
    }),
  ),
  outcome: Type.Optional(Type.Enum(outcomes)),
  policyId: Id('Return only calls in which this policy failed or took an action'),
  session: Id('Return only calls of this session'),
  route: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Return only calls that requested this route, by its name at that time',
    }),
  ),
  agent: Id('Return only calls made by this coding agent, such as `claude-code`'),
  cache: Type.Optional(
    Type.Enum(['hit'], {
      description: '`hit` returns only calls that were answered from the cache of a route',
    }),
  ),
  batch: Id('Return only lines of this batch'),
  minCostUsd: Type.Optional(
    Usd(
      'Return only calls that cost at least this much in USD, including corrections. Up to nine decimal places',
    ),
  ),
  requestId: Id('Return only the call with this id'),
}

// `tag.project=alpha`: any tag name is allowed, but only in this form.
const withTags = {
  ...strict,
  patternProperties: {
    [`^tag\\.${tagNamePattern.slice(1)}`]: Type.String({ minLength: 1, maxLength: maxTagValueLength }),
  },
}

export const CallQuery = Type.Object({ ...PageQuery, ...filters }, withTags)
export type CallQuery = Static<typeof CallQuery>

export const maxBuckets = 500
export const DensityQuery = Type.Object(
  {
    buckets: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxBuckets,
        default: 120,
        description: 'The number of equal parts of the span',
      }),
    ),
    ...filters,
  },
  withTags,
)

const Text = (description: string) => Nullable(Type.String(), description)
const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Ms = (description: string) => Nullable(Type.Integer({ minimum: 0 }), description)
const name = 'at the time of the call. Null for none'

const fields = {
  requestId: Type.String({ description: 'The id of the call' }),
  attempt: Type.Integer({
    minimum: 1,
    description:
      'The number of the attempt within the call. Each attempt is admitted, priced and recorded separately',
  }),
  route: Text('The route that chose the model. Null if the caller chose it'),
  receiptSeq: Type.Integer({ description: 'The number of the call’s receipt in the record' }),
  ts: Type.String({ format: 'date-time', description: 'When the call was admitted' }),
  kind: Type.Enum(['model', 'tool']),
  keyId: Text('The key that made the call'),
  keyName: Text(`The name of the key ${name}`),
  userId: Text('The owner of the key. Null for a key without an owner'),
  userName: Text(`The name of the user ${name}`),
  teamId: Text('The team that the call counts for. Null for none'),
  teamName: Text(`The name of the team ${name}`),
  provider: Text('The provider that answered. For a tool call, `mcp:<server>`'),
  model: Text('The canonical name of the model. For a tool call, `<server>__<tool>`'),
  askedModel: Text('The model as the caller wrote it'),
  upstream: Text('The model that answered, as the provider named it. Null if the provider named none'),
  server: Text('The server of the called tool. Null for a model call'),
  tool: Text(
    'The called tool by its own name, the URI of a resource, or the name of a prompt. Null for a model call',
  ),
  method: Text('The method that was called on the MCP server, such as `tools/call`. Null for a model call'),
  toolError: Type.Boolean({
    description:
      'True if the tool itself reported a failure (`isError`). The outcome of such a call is not an error',
  }),
  rpcCode: Nullable(
    Type.Integer(),
    'The code of the protocol error that the server returned. Null without one',
  ),
  stream: Type.Boolean(),
  status: Nullable(Type.Integer(), 'The HTTP status of the answer'),
  outcome: Text('ok, blocked, redacted, upstream_error, aborted, interrupted or failed'),
  inputTokens: Count('The number of input tokens'),
  outputTokens: Count('The number of output tokens'),
  cachedTokens: Count('The number of input tokens that were read from a cache'),
  costUsd: Type.Number({ description: 'The cost in USD, exact to the nano-dollar, including corrections' }),
  usage: Text(
    'The source of the counts: `provider`, `counted` (by this service, from a complete answer) or `reserved` (the upper bound)',
  ),
  latencyMs: Ms(
    'The time in milliseconds from admission to the end of the answer. Null if the call was interrupted',
  ),
  firstTokenMs: Ms(
    'The time in milliseconds from admission to the first byte of the answer. Null without an answer',
  ),
  session: Text('The session that the caller set. Null for none'),
  agent: Text(
    'The coding agent that made the call, such as `claude-code` or `codex`. Null if none was recognised',
  ),
  cache: Nullable(
    Type.Enum(['hit']),
    '`hit` means that the answer came from the cache of the route and no provider was called. Null otherwise',
  ),
  batch: Text('The batch that contained the call. Null for a call outside a batch'),
  tags: Type.Record(Type.String(), Type.String(), {
    description: 'The tags that the caller set or that its key adds',
  }),
  policies: Type.Array(Type.Object({ id: Type.String(), name: Text(`The name of the policy ${name}`) }), {
    description: 'The policies that failed or took an action',
  }),
} satisfies Record<string, TSchema>

const example = {
  requestId: 'req_01k9zq3w8hcv7m2x4n6p8r0t1y',
  attempt: 1,
  route: null,
  receiptSeq: 42,
  ts: '2026-11-15T09:30:00.000Z',
  kind: 'model' as const,
  keyId: 'key_01k9zq3w8hcv7m2x4n6p8r0t1x',
  keyName: 'ci',
  userId: 'grace',
  userName: 'Grace Hopper',
  teamId: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y',
  teamName: 'Search',
  provider: 'openai',
  model: 'gpt-4o',
  askedModel: 'openai/gpt-4o',
  upstream: 'gpt-4o-2024-08-06',
  server: null,
  tool: null,
  method: null,
  toolError: false,
  rpcCode: null,
  stream: false,
  status: 200,
  outcome: 'ok',
  inputTokens: 8,
  outputTokens: 21,
  cachedTokens: 0,
  costUsd: 0.00023,
  usage: 'provider',
  latencyMs: 812,
  firstTokenMs: 790,
  session: 'nightly-2026-11-15',
  agent: null,
  cache: null,
  batch: null,
  tags: { env: 'prod', project: 'alpha' },
  policies: [],
}

export const Call = Type.Object(fields, { title: 'Call', examples: [example] })
export type Call = Static<typeof Call>

const CallCheck = Type.Object(
  {
    name: Type.String({ description: 'The name of the check, such as `budget`, or the kind of the policy' }),
    applicable: Type.Boolean(),
    result: Type.Enum(['pass', 'fail', 'error', 'skip']),
    action: Text('The action taken: block, redact or flag. Null for none'),
    policyId: Text('The policy of the check. Null for a check of the gateway itself'),
    policyVersion: Nullable(Type.Integer(), 'The version of the policy. Null if unknown'),
    policyName: Text(`The name of the policy ${name}`),
  },
  { title: 'CallCheck' },
)

const CallAttempt = Type.Object(
  {
    attempt: fields.attempt,
    provider: fields.provider,
    model: fields.model,
    upstream: fields.upstream,
    status: fields.status,
    outcome: fields.outcome,
    toolError: fields.toolError,
    rpcCode: fields.rpcCode,
    cache: fields.cache,
    latencyMs: fields.latencyMs,
    costUsd: fields.costUsd,
    receiptSeq: fields.receiptSeq,
  },
  { title: 'CallAttempt' },
)

const CallCorrection = Type.Object(
  {
    receiptSeq: Type.Integer({ description: 'The number of the entry that corrects the cost' }),
    differenceUsd: Type.Number(),
    ts: Nullable(DateTime, 'Null if the entry was dropped from the record'),
    reason: Text('Null if the entry was dropped from the record'),
  },
  { title: 'CallCorrection' },
)

/** The query of one call. */
export const CallDetailQuery = Type.Object(
  {
    content: Type.Optional(
      Type.Boolean({
        'x-default': true,
        description: 'If false, the content is omitted and no audit entry is written',
      }),
    ),
  },
  strict,
)

export const CallDetail = Type.Object(
  {
    ...fields,
    receipt: Type.Object({
      seq: Type.Integer(),
      state: Type.Enum(['kept', 'dropped'], {
        description:
          '`dropped` means that the receipt is no longer in the record, only in an earlier export. Fields that only the receipt contains are then null',
      }),
    }),
    fault: Nullable(
      Type.Enum([...serviceFaults]),
      'The part of this service that failed, for the outcome `failed`. Null otherwise, and when the receipt was dropped',
    ),
    checks: Nullable(Type.Array(CallCheck), 'Every check of the call. Null if the receipt was dropped'),
    attempts: Type.Array(CallAttempt, { description: 'All attempts of the call, in order' }),
    counts: Nullable(
      Type.Record(Type.String(), Type.Unknown()),
      'The priced amounts by kind. Null if unknown',
    ),
    tier: Text('The price tier. Null for the standard tier'),
    price: Nullable(
      Type.Object({
        hash: Type.String({ description: 'The SHA-256 of the price' }),
        terms: Nullable(
          Type.Object({}, { additionalProperties: true }),
          'The price, in picodollars. Null if the record no longer contains it',
        ),
      }),
      'The price that applied. Null if unknown',
    ),
    costLines: Nullable(
      Type.Array(
        Type.Object(
          {
            kind: Type.String({
              description:
                'A kind of tokens as in `counts`, `images`, `tools.<name>` for a hosted tool, or `tools.tool_call` for a tool call',
              examples: ['input'],
            }),
            count: Count('The number of tokens, images or uses that are not on another line'),
            usdPerMillion: Type.Number({
              description: 'The price in USD per million units, in the tier of the call',
            }),
            usd: Type.Number({ description: 'The cost of this line in USD, before rounding' }),
          },
          { title: 'CostLine' },
        ),
      ),
      'The lines of the cost. Their sum, rounded up to the nano-dollar, is the cost before corrections. Null if the counts or the price are unknown',
    ),
    stages: Nullable(
      Type.Array(
        Type.Object(
          {
            name: Type.Enum([...stageNames]),
            startMs: Type.Number({
              minimum: 0,
              description: 'The start of the stage, in milliseconds after the headers of the request arrived',
            }),
            durationMs: Type.Number({ minimum: 0 }),
          },
          { title: 'CallStage' },
        ),
      ),
      'The stages of the call in order, to a hundredth of a millisecond: `read` (the key is checked, the body arrives), `receive`, `plan`, `reserve`, `admit` (limits and budgets), `guard` (policies on the request), `forward` (until the first byte of the provider), `answer` (until the last; for a stream, including delivery to the caller), `judge` (policies on an answer that is not streamed), `settle`. `latencyMs` counts from the end of `read`. Measured by the process that made the call and not part of the receipt: null if unknown',
    ),
    prompt: Nullable(
      Type.Object({
        id: Type.String(),
        version: Nullable(Type.Integer(), 'The version of the prompt. Null if unknown'),
      }),
      'The stored prompt that was rendered into the call. Null for none',
    ),
    content: Nullable(
      CallContentRecord,
      'The captured content of the call, for managers and auditors. Each read adds an entry `content.read` to the audit log. Null for members, with `content=false`, and if nothing was captured',
    ),
    corrections: Type.Array(CallCorrection, {
      description: 'The later corrections of the cost, oldest first',
    }),
  },
  {
    title: 'CallDetail',
    examples: [
      {
        ...example,
        receipt: { seq: 42, state: 'kept' as const },
        fault: null,
        checks: [
          {
            name: 'budget',
            applicable: true,
            result: 'pass' as const,
            action: null,
            policyId: null,
            policyVersion: null,
            policyName: null,
          },
        ],
        attempts: [
          {
            attempt: 1,
            provider: 'openai',
            model: 'gpt-4o',
            upstream: 'gpt-4o-2024-08-06',
            status: 200,
            outcome: 'ok',
            toolError: false,
            rpcCode: null,
            cache: null,
            latencyMs: 812,
            costUsd: 0.00023,
            receiptSeq: 42,
          },
        ],
        counts: { input: 8, output: 21 },
        tier: null,
        price: { hash: '7c21…0b39', terms: null },
        costLines: [
          { kind: 'input', count: 8, usdPerMillion: 2.5, usd: 0.00002 },
          { kind: 'output', count: 21, usdPerMillion: 10, usd: 0.00021 },
        ],
        stages: [
          { name: 'read' as const, startMs: 0, durationMs: 0.42 },
          { name: 'forward' as const, startMs: 0.42, durationMs: 790.1 },
        ],
        prompt: null,
        content: null,
        corrections: [],
      },
    ],
  },
)
export type CallDetail = Static<typeof CallDetail>

const OutcomeCounts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
  description:
    'The number of calls by outcome, such as `ok` and `blocked`. Outcomes without calls are omitted',
})

export const CallDensity = Type.Object(
  {
    from: DateTime,
    to: Type.String({ format: 'date-time', description: 'The end, exclusive' }),
    bucketMs: Type.Number({
      description: 'The length of each bucket in milliseconds. It can be fractional',
    }),
    total: Type.Integer({ minimum: 0, description: 'The number of calls in all buckets' }),
    outcomes: OutcomeCounts,
    costUsd: Type.Number({ description: 'The cost of all calls in USD, including corrections' }),
    buckets: Type.Array(
      Type.Object({
        index: Type.Integer({
          minimum: 0,
          description: 'The number of the bucket. It begins at `from` + `index` × `bucketMs`',
        }),
        calls: Type.Integer({ minimum: 1 }),
        outcomes: OutcomeCounts,
        costUsd: Type.Number(),
      }),
      { description: 'The buckets with calls, oldest first' },
    ),
  },
  {
    title: 'CallDensity',
    examples: [
      {
        from: '2026-11-15T00:00:00.000Z',
        to: '2026-11-15T02:00:00.000Z',
        bucketMs: 60_000,
        total: 3,
        outcomes: { blocked: 1, ok: 2 },
        costUsd: 0.0046,
        buckets: [{ index: 17, calls: 3, outcomes: { blocked: 1, ok: 2 }, costUsd: 0.0046 }],
      },
    ],
  },
)
export type CallDensity = Static<typeof CallDensity>
