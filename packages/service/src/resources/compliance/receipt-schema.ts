import type { Counts as PricedCounts } from '@tallystick/record/pricing'
import { type TSchema, Type } from 'typebox'
import type { Entry, EntryCheck } from '../../record/index.js'
import { RestoreFacts } from './exception-schema.js'

const Check = Type.Object({
  name: Type.String(),
  applicable: Type.Boolean(),
  result: Type.Enum(['pass', 'fail', 'error', 'skip']),
  action: Type.Optional(Type.String()),
  policy: Type.Optional(Type.String()),
} satisfies Record<keyof EntryCheck, TSchema>)

const Uses = Type.Optional(Type.Integer())

const Counts = Type.Object(
  {
    input: Uses,
    cached: Uses,
    written: Uses,
    writtenHour: Uses,
    audioIn: Uses,
    output: Uses,
    reasoning: Uses,
    audioOut: Uses,
    images: Uses,
    tools: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  } satisfies Record<keyof PricedCounts, TSchema>,
  { description: 'What was used, by kind, as it was priced' },
)

/** The fields of the entry, its leaf hash, and the exact text that was hashed. */
export const Receipt = Type.Object(
  {
    v: Type.Integer(),
    tenant: Type.String(),
    seq: Type.Integer(),
    prev: Type.String({ description: 'Leaf hash of the previous entry, hex' }),
    id: Type.String({ description: 'Id of the call, or of the attempt where it is not the first' }),
    call: Type.Optional(Type.String({ description: 'Of a further attempt: the id of the call' })),
    attempt: Type.Optional(Type.Integer({ description: 'Of a further attempt: which one, from 2' })),
    batch: Type.Optional(Type.String({ description: 'Of a line of a batch: the id of the batch' })),
    line: Type.Optional(
      Type.Integer({ description: 'Of a line of a batch: which line of its file, from 1' }),
    ),
    ts: Type.String({ format: 'date-time', description: 'When the call was admitted' }),
    kind: Type.Enum(['model', 'tool', 'control']),
    key: Type.Optional(Type.String()),
    user: Type.Optional(Type.String()),
    team: Type.Optional(Type.String()),
    agent: Type.Optional(
      Type.String({
        description: 'The coding agent that made the call: `claude-code`, `codex` or `opencode`',
      }),
    ),
    session: Type.Optional(Type.String({ description: 'The session that the caller set' })),
    tags: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'What the caller filed it under' }),
    ),
    route: Type.Optional(Type.String({ description: 'The route that chose the model' })),
    cache: Type.Optional(
      Type.String({ description: '`hit`: the answer was taken from the cache, and no provider was asked' }),
    ),
    provider: Type.Optional(Type.String()),
    model: Type.Optional(Type.String({ description: 'The model that was requested' })),
    target: Type.Optional(
      Type.String({ description: "The provider's own name of the model, where `model` is an alias of it" }),
    ),
    upstream: Type.Optional(Type.String({ description: 'The model that answered' })),
    server: Type.Optional(Type.String({ description: 'Of a tool call: the name of the server' })),
    tool: Type.Optional(
      Type.String({
        description: 'Of a tool call: the name of the tool; the URI of a resource, the name of a prompt',
      }),
    ),
    method: Type.Optional(
      Type.String({ description: 'Of a tool call: its method, where that is not `tools/call`' }),
    ),
    toolError: Type.Optional(
      Type.Boolean({ description: 'The tool itself said that it failed: its result has `isError`' }),
    ),
    rpcCode: Type.Optional(
      Type.Integer({ description: 'The code of the protocol error that the server answered with' }),
    ),
    inputTokens: Type.Optional(Type.Integer()),
    outputTokens: Type.Optional(Type.Integer()),
    cachedTokens: Type.Optional(Type.Integer()),
    costNanos: Type.Optional(Type.Integer({ description: 'Whole nano-dollars' })),
    counts: Type.Optional(Counts),
    usage: Type.Optional(
      Type.String({
        description:
          'Where the counts come from: `provider`, `counted` (by this service, of an answer that it saw to its end) or `reserved` (the most that it can have been)',
      }),
    ),
    tier: Type.Optional(Type.String({ description: 'The tier that was priced, where not the standard one' })),
    price: Type.Optional(
      Type.String({ description: 'SHA-256 of the price that applied; a control entry of the record has it' }),
    ),
    latencyMs: Type.Optional(Type.Integer()),
    firstTokenMs: Type.Optional(Type.Integer()),
    stream: Type.Optional(Type.Boolean()),
    status: Type.Optional(Type.Integer()),
    outcome: Type.Optional(
      Type.String({ description: 'ok, blocked, redacted, upstream_error, aborted, interrupted or failed' }),
    ),
    fault: Type.Optional(
      Type.String({
        description: 'Of a call with the outcome `failed`: database, limits, shutdown, capacity or internal',
      }),
    ),
    request: Type.Optional(Type.String({ description: 'Commitment to the request body' })),
    response: Type.Optional(Type.String({ description: 'Commitment to the response body' })),
    content: Type.Optional(
      Type.Enum(['redacted', 'full'], {
        description: 'How the content of the call was captured, beside the record; absent where it was not',
      }),
    ),
    promptId: Type.Optional(Type.String({ description: 'Id of the stored prompt that was used' })),
    promptVersion: Type.Optional(Type.Integer()),
    policies: Type.Optional(Type.String({ description: 'Hash of the policy set in force' })),
    checks: Type.Optional(Type.Array(Check)),
    packs: Type.Optional(Type.Array(Type.String())),
    event: Type.Optional(Type.String({ description: 'In a control entry: what happened' })),
    subject: Type.Optional(Type.String({ description: 'In a control entry: what it happened to' })),
    terms: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'In `price.apply`: the price, in picodollars' },
      ),
    ),
    adjusts: Type.Optional(
      Type.Integer({
        description: 'In `receipt.adjust`: the entry whose cost it corrects; `costNanos` is the difference',
      }),
    ),
    reason: Type.Optional(Type.String({ description: 'In a control entry: why' })),
    by: Type.Optional(
      Type.String({ description: 'In a control entry of an operator command: who ran the command' }),
    ),
    restore: Type.Optional(RestoreFacts),
    leafHash: Type.String({ description: 'SHA-256(0x00 ‖ canonical), hex' }),
    canonical: Type.String({ description: 'The exact text that was hashed' }),
  } satisfies Record<keyof Entry | 'leafHash' | 'canonical', TSchema>,
  {
    additionalProperties: true,
    title: 'Receipt',
    examples: [
      {
        v: 2,
        tenant: 'tenant_01k9zq3w8hcv7m2x4n6p8r0t1y',
        seq: 42,
        prev: '7c21…0b39',
        id: 'req_01k9zq3w8hcv7m2x4n6p8r0t1y',
        ts: '2026-11-15T09:30:00.000Z',
        kind: 'model',
        key: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y',
        provider: 'openai',
        model: 'gpt-4o',
        inputTokens: 8,
        outputTokens: 21,
        costNanos: 230_000,
        outcome: 'ok',
        status: 200,
        leafHash: 'd426…2684',
        canonical: '{"costNanos":230000,…}',
      },
    ],
  },
)
