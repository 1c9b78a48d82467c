import { type Static, Type } from 'typebox'
import { DateTime, Name, Nullable, strict, withDefault } from '../http/index.js'
import { ScopeReference } from '../resources/scopes/index.js'
import { maxTags, maxTagValueLength, tagNamePattern } from '../shared/tags.js'
import { kindNames, kinds } from './kinds/index.js'
import { anyAction, anyPhase } from './kinds/kind.js'

const PolicyName = Name({ description: 'Unique in the tenant' })
const Description = Type.String({ maxLength: 2_000 })
const PhaseName = Type.Enum([...anyPhase], {
  description: 'Whether it judges the request, the answer, or both',
})
const ActionName = Type.Enum([...anyAction], {
  description:
    'Refuse the call, redact what was found, or only record it. `redact` is for kinds that find text.',
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
      Type.Union(configs, { description: 'As the kind defines it, with every default filled in' }),
    ),
    scope: Type.Object(
      { type: ScopeReference.properties.type, id: Type.String() },
      { description: 'Whose calls it judges' },
    ),
    phase: PhaseName,
    action: ActionName,
    enabled: Type.Boolean(),
    version: Type.Integer({
      description: 'Starts at 1 and increases by one with every change, also of the name',
    }),
    secretStatus: Type.Optional(
      Type.Enum(['ok', 'undecryptable'], {
        description:
          'Of an `http` policy. `undecryptable`: the service does not have the master key that its secret is sealed under; its service is not asked, and what it judges is refused. A new secret (rotate-secret) mends it.',
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
    description: 'As the kind defines it; see the config of each kind. Always replaced as a whole.',
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
          'Of an `http` policy: what its requests are signed with. Shown only in this answer. If it is lost, rotate it.',
      }),
    ),
  },
  { title: 'CreatedPolicy' },
)

export const PolicyWithSecret = Type.Object(
  {
    ...Policy.properties,
    secret: Type.String({
      description: 'What requests are signed with from now on. Shown only in this answer.',
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
    description: 'As in a chat completion: of the request, or for `output` what the model would answer',
  }),
  tools: Type.Optional(
    Type.Array(FreeObject, { maxItems: 1_000, description: 'Tools that the request offers' }),
  ),
  maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  stream: withDefault(Type.Boolean(), false),
  keyId: Type.Optional(
    Type.String({ maxLength: 64, description: 'Whose call it would be; your own key if omitted' }),
  ),
  tags: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      propertyNames: { type: 'string', pattern: tagNamePattern },
      additionalProperties: { type: 'string', minLength: 1, maxLength: maxTagValueLength },
      maxProperties: maxTags,
      description: "What the call would be filed under, on top of the key's metadata",
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
        description: 'The policy that it is a draft of, and stands in for; a new one if omitted',
      }),
    ),
    name: withDefault(PolicyName, 'Draft'),
    kind: KindOf,
    config: withDefault(writable.config, {}),
    phase: withDefault(PhaseName, 'input'),
    action: withDefault(ActionName, 'block'),
  },
  { ...strict, description: 'As it would be saved. Its scope does not matter: it is tried on this call' },
)

export const DraftTrial = Type.Object(
  {
    ...trialFields,
    draft: Draft,
    alone: withDefault(
      Type.Boolean({ description: 'Ask the draft alone, and no policy that is in force' }),
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
    outcome: Type.Enum(['ok', 'redacted', 'blocked'], { description: 'As in a receipt' }),
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
      'The error that the caller would get; null unless blocked',
    ),
    checks: Type.Array(
      Type.Object({
        name: Type.String(),
        applicable: Type.Boolean(),
        result: Type.Enum(['pass', 'fail', 'error', 'skip']),
        action: Type.Optional(Type.String()),
        policy: Type.Optional(Type.String({ description: 'Its id and version' })),
      }),
      { description: 'As in a receipt' },
    ),
    findings: Type.Array(
      Type.Object({
        policy: Type.String({ description: 'Its id and version; `draft` for a draft' }),
        entity: Type.String({ description: 'What it was taken for', examples: ['email'] }),
        path: Nullable(
          Type.String({ examples: ['messages.0.content'] }),
          'The string of the trial that it stands in; null for one that is not of the trial',
        ),
        start: Type.Integer({ description: 'In that string, in UTF-16 code units' }),
        end: Type.Integer({ description: 'Exclusive' }),
        replacement: Nullable(
          Type.String({ examples: ['[EMAIL_1]'] }),
          'What is put in its place; null unless it is redacted',
        ),
      }),
      {
        description:
          'What policies that find text found, and where. One that blocks or flags is asked about no further text after its first.',
      },
    ),
    messages: Type.Array(FreeObject, {
      description: 'What would be sent, or for `output` be seen by the caller, after redaction',
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
