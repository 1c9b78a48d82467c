import { type Static, Type } from 'typebox'
import { DateTime, Name, strict, withDefault } from '../http/index.js'
import { ScopeReference } from '../resources/scopes/index.js'
import { kindNames, kinds } from './kinds/index.js'
import { anyAction, anyPhase } from './kinds/kind.js'

export const PolicyName = Name({ description: 'A name that is unique in the tenant' })
const Description = Type.String({ maxLength: 2_000 })
export const PhaseName = Type.Enum([...anyPhase], {
  description: 'Whether the policy checks the request, the answer, or both',
})
export const ActionName = Type.Enum([...anyAction], {
  description:
    'What to do on a match: refuse the call, redact the text that was found, or only record it. Only kinds that find text support `redact`',
})

export const KindFilter = Type.Enum([...kindNames])

export const KindOf = Type.Enum([...kindNames], {
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

export const writable = {
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

export type CreatedPolicy = Static<typeof CreatedPolicy>
export type Policy = Static<typeof Policy>
export type CreatePolicy = Static<typeof CreatePolicy>
export type UpdatePolicy = Static<typeof UpdatePolicy>
