import { Type } from 'typebox'

const Check = Type.Object({
  name: Type.String(),
  applicable: Type.Boolean(),
  result: Type.Enum(['pass', 'fail', 'error', 'skip']),
  action: Type.Optional(Type.String()),
  policy: Type.Optional(Type.String()),
})

/** The entry's own fields as they were hashed, its leaf hash, and the exact text. */
export const Receipt = Type.Object(
  {
    v: Type.Integer(),
    tenant: Type.String(),
    seq: Type.Integer(),
    prev: Type.String({ description: 'Leaf hash of the entry before, hex' }),
    id: Type.String({ description: 'Id of the request' }),
    ts: Type.String({ format: 'date-time', description: 'When the call was admitted' }),
    kind: Type.Enum(['model', 'tool', 'control']),
    key: Type.Optional(Type.String()),
    user: Type.Optional(Type.String()),
    team: Type.Optional(Type.String()),
    provider: Type.Optional(Type.String()),
    model: Type.Optional(Type.String({ description: 'What was asked for' })),
    upstream: Type.Optional(Type.String({ description: 'What answered' })),
    inputTokens: Type.Optional(Type.Integer()),
    outputTokens: Type.Optional(Type.Integer()),
    cachedTokens: Type.Optional(Type.Integer()),
    costMicros: Type.Optional(Type.Integer({ description: 'Whole micro-dollars' })),
    latencyMs: Type.Optional(Type.Integer()),
    firstTokenMs: Type.Optional(Type.Integer()),
    stream: Type.Optional(Type.Boolean()),
    status: Type.Optional(Type.Integer()),
    outcome: Type.Optional(
      Type.String({ description: 'ok, blocked, redacted, upstream_error, aborted or interrupted' }),
    ),
    request: Type.Optional(Type.String({ description: 'Commitment to the request body' })),
    response: Type.Optional(Type.String({ description: 'Commitment to the response body' })),
    promptId: Type.Optional(Type.String({ description: 'Id of the stored prompt that was used' })),
    promptVersion: Type.Optional(Type.Integer()),
    policies: Type.Optional(Type.String({ description: 'Hash of the policy set in force' })),
    checks: Type.Optional(Type.Array(Check)),
    packs: Type.Optional(Type.Array(Type.String())),
    leafHash: Type.String({ description: 'SHA-256(0x00 ‖ canonical), hex' }),
    canonical: Type.String({ description: 'The exact text that was hashed' }),
  },
  { additionalProperties: true, title: 'Receipt' },
)
