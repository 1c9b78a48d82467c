import { type Static, Type } from 'typebox'
import { Nullable, strict, withDefault } from '../http/index.js'
import { maxTags, maxTagValueLength, tagNamePattern } from '../shared/tags.js'
import { ActionName, KindOf, PhaseName, type Policy, PolicyName, writable } from './schema.js'

const FreeObject = Type.Object({}, { additionalProperties: true })

const trialFields = {
  model: Type.String({ minLength: 1, maxLength: 200 }),
  messages: Type.Array(FreeObject, {
    maxItems: 10_000,
    description:
      'Messages as in a chat completion: those of the request or, for `output`, the model’s answer',
  }),
  tools: Type.Optional(
    Type.Array(FreeObject, { maxItems: 1_000, description: 'The tools that the request offers' }),
  ),
  maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  stream: withDefault(Type.Boolean(), false),
  keyId: Type.Optional(
    Type.String({ maxLength: 64, description: 'The key that would make the call. Defaults to your own key' }),
  ),
  tags: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      propertyNames: { type: 'string', pattern: tagNamePattern },
      additionalProperties: { type: 'string', minLength: 1, maxLength: maxTagValueLength },
      maxProperties: maxTags,
      description: 'The tags of the call, in addition to the metadata of the key',
    }),
  ),
  session: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  phase: Type.Optional(Type.Enum(['input', 'output'], { default: 'input' })),
}

const exampleTrial = {
  model: 'mock/echo',
  messages: [{ role: 'user', content: 'Write to jane@example.com, please.' }],
}

export const PolicyTrial = Type.Object(trialFields, {
  ...strict,
  title: 'PolicyTrial',
  examples: [exampleTrial],
})

const Draft = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The policy that the draft replaces. Omit it for a new policy',
      }),
    ),
    name: withDefault(PolicyName, 'Draft'),
    kind: KindOf,
    config: withDefault(writable.config, {}),
    phase: withDefault(PhaseName, 'input'),
    action: withDefault(ActionName, 'block'),
  },
  {
    ...strict,
    description:
      'The policy as it would be saved. Its scope is ignored: the draft always applies to this call',
  },
)

export const DraftTrial = Type.Object(
  {
    ...trialFields,
    draft: Draft,
    alone: withDefault(
      Type.Boolean({ description: 'Evaluate only the draft, without the policies that are in force' }),
      false,
    ),
  },
  {
    ...strict,
    title: 'PolicyDraftTrial',
    examples: [
      {
        ...exampleTrial,
        draft: { kind: 'pii', config: { entities: ['email'] }, action: 'redact' },
      },
    ],
  },
)

export const PolicyTrialResult = Type.Object(
  {
    outcome: Type.Enum(['ok', 'redacted', 'blocked'], { description: 'The outcome, as in a receipt' }),
    error: Nullable(
      Type.Object(
        {
          type: Type.String(),
          message: Type.String(),
          code: Type.Integer(),
          policy_id: Type.Optional(Type.String()),
          check: Type.Optional(Type.String()),
        },
        { additionalProperties: true },
      ),
      'The error that the caller would get. Null unless the call would be blocked',
    ),
    checks: Type.Array(
      Type.Object({
        name: Type.String(),
        applicable: Type.Boolean(),
        result: Type.Enum(['pass', 'fail', 'error', 'skip']),
        action: Type.Optional(Type.String()),
        policy: Type.Optional(Type.String({ description: 'The id and version of the policy' })),
      }),
      { description: 'Every check of the call, as in a receipt' },
    ),
    findings: Type.Array(
      Type.Object({
        policy: Type.String({ description: 'The id and version of the policy, or `draft` for a draft' }),
        entity: Type.String({ description: 'What the text was recognised as', examples: ['email'] }),
        path: Nullable(
          Type.String({ examples: ['messages.0.content'] }),
          'The path of the string in the trial that contains the text. Null if the string is not part of the trial',
        ),
        start: Type.Integer({ description: 'The start of the text in that string, in UTF-16 code units' }),
        end: Type.Integer({ description: 'The end, exclusive' }),
        replacement: Nullable(
          Type.String({ examples: ['[EMAIL_1]'] }),
          'The text that replaces it. Null unless it is redacted',
        ),
      }),
      {
        description:
          'The text that policies found, and where. A policy that blocks or flags checks no further texts after the first one with a finding',
      },
    ),
    messages: Type.Array(FreeObject, {
      description:
        'The messages after redaction: those that would be sent to the provider or, for `output`, returned to the caller',
    }),
  },
  { title: 'PolicyTrialResult' },
)

export type PolicyTrial = Static<typeof PolicyTrial>
/** A draft that passed its checks, with all defaults filled in. */
export interface PolicyDraft {
  policy: Pick<Policy, 'name' | 'kind' | 'config' | 'phase' | 'action'> & { id?: string }
  /** True when no other policy is asked. */
  alone: boolean
}
export type DraftTrial = Static<typeof DraftTrial>
export type PolicyTrialResult = Static<typeof PolicyTrialResult>
