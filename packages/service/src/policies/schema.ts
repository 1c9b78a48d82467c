import { type Static, Type } from 'typebox'
import { DateTime, Name, Nullable, strict, withDefault } from '../http/index.js'
import { ScopeReference } from '../resources/scopes/index.js'
import { maxTags, maxTagValueLength, tagNamePattern } from '../shared/tags.js'
import { kindNames, kinds } from './kinds/index.js'
import { anyAction, anyPhase } from './kinds/kind.js'

const PolicyName = Name({ description: 'A name that is unique in the tenant' })
const Description = Type.String({ maxLength: 2_000 })
const PhaseName = Type.Enum([...anyPhase], {
  description: 'Whether the policy checks the request, the answer, or both',
})
const ActionName = Type.Enum([...anyAction], {
  description:
    'What to do on a match: refuse the call, redact the text that was found, or only record it. Only kinds that find text support `redact`',
})

export const KindFilter = Type.Enum([...kindNames])

const KindOf = Type.Enum([...kindNames], {
  description: kindNames.map((name) => `- \`${name}\`: ${kinds[name].summary}`).join('\n'),
})

type Config = Record<string, unknown>

/** The config schemas of all kinds; two kinds may share one. */
const configs = [...new Set(Object.values(kinds).map((kind) => kind.schema))]

export const Policy = Type.Object(
  {
    id: Type.String({ examples: ['pol_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    name: PolicyName,
    description: Description,
    kind: KindOf,
    config: Type.Unsafe<Config>(
      Type.Union(configs, {
        description: 'The configuration, as the kind defines it, with all defaults filled in',
      }),
    ),
    scope: Type.Object(
      { type: ScopeReference.properties.type, id: Type.String() },
      { description: 'Whose calls the policy applies to' },
    ),
    phase: PhaseName,
    action: ActionName,
    enabled: Type.Boolean(),
    version: Type.Integer({
      description:
        'The version of the policy. It starts at 1 and increases by one with every change, including a change of the name',
    }),
    secretStatus: Type.Optional(
      Type.Enum(['ok', 'undecryptable'], {
        description:
          'For an `http` policy: the state of its secret. `undecryptable` means that the service does not have the master key that the secret is encrypted with. The guardrail service is then not called, and everything that the policy applies to is refused. Rotate the secret to fix this',
      }),
    ),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { title: 'Policy' },
)

const writable = {
  name: PolicyName,
  description: Description,
  // A union would report the errors of all ten kinds. `completeConfig` applies the schema of the policy's kind instead.
  config: Type.Unsafe<Config>({
    type: 'object',
    additionalProperties: true,
    description: 'The configuration, as defined by the kind. It is always replaced as a whole',
  }),
  scope: ScopeReference,
  phase: PhaseName,
  action: ActionName,
  enabled: Type.Boolean(),
}

export const CreatePolicy = Type.Object(
  {
    name: PolicyName,
    kind: KindOf,
    description: withDefault(Description, ''),
    config: withDefault(writable.config, {}),
    scope: withDefault(ScopeReference, { type: 'tenant' }),
    // These are the first of every kind.
    phase: withDefault(PhaseName, 'input'),
    action: withDefault(ActionName, 'block'),
    enabled: withDefault(writable.enabled, true),
  },
  {
    ...strict,
    title: 'CreatePolicy',
    examples: [
      {
        name: 'No personal data',
        kind: 'pii',
        config: { entities: ['email', 'credit_card'] },
        action: 'redact',
      },
      {
        name: 'Small models for the interns',
        kind: 'model_allowlist',
        config: { models: ['gpt-4o-mini'] },
        scope: { type: 'team', id: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y' },
      },
      {
        name: 'No streams at night',
        kind: 'expression',
        config: { cel: 'request.stream && now.getHours("UTC") < 6' },
        action: 'flag',
      },
    ],
  },
)

export const CreatedPolicy = Type.Object(
  {
    ...Policy.properties,
    secret: Type.Optional(
      Type.String({
        description:
          'For an `http` policy: the secret that signs requests to the guardrail service. Returned only in this response. If you lose it, rotate it',
      }),
    ),
  },
  { title: 'CreatedPolicy' },
)

export const PolicyWithSecret = Type.Object(
  {
    ...Policy.properties,
    secret: Type.String({
      description: 'The secret that signs requests from now on. Returned only in this response',
    }),
  },
  { title: 'PolicyWithSecret' },
)

export const UpdatePolicy = Type.Partial(Type.Object(writable), {
  ...strict,
  minProperties: 1,
  title: 'UpdatePolicy',
  examples: [{ enabled: false }],
})

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
          'The text that policies found, and where. A policy that blocks or flags stops at its first finding',
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
export type CreatedPolicy = Static<typeof CreatedPolicy>
export type Policy = Static<typeof Policy>
export type CreatePolicy = Static<typeof CreatePolicy>
export type UpdatePolicy = Static<typeof UpdatePolicy>
