import type { Counts as PricedCounts } from '@tallystick/record/pricing'
import { type TSchema, Type } from 'typebox'
import { type Entry, type EntryCheck, entryFields } from '../../record/index.js'
import { RestoreDetails } from './exception-schema.js'

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
  { description: 'The priced amounts by kind' },
)

const structured = {
  counts: Type.Optional(Counts),
  checks: Type.Optional(Type.Array(Check)),
  restore: Type.Optional(RestoreDetails),
} satisfies Record<Exclude<keyof Entry, keyof typeof entryFields>, TSchema>

const alwaysPresent = new Set(['v', 'tenant', 'seq', 'prev', 'id', 'ts', 'kind'])

const simpleFields = Object.entries(entryFields).map(([name, schema]) => {
  const field = Type.Unsafe({ ...schema })
  return [name, alwaysPresent.has(name) ? field : Type.Optional(field)] as const
})

/** The fields of the entry, its leaf hash, and the exact text that was hashed. */
export const Receipt = Type.Object(
  {
    ...Object.fromEntries<TSchema>(simpleFields),
    ...structured,
    leafHash: Type.String({ description: 'SHA-256(0x00 ‖ `canonical`), in hex' }),
    canonical: Type.String({ description: 'The exact text that was hashed' }),
  },
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
