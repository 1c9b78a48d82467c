import { type Static, Type } from 'typebox'
import { ScopeReference } from '../scopes/index.js'
import { kindNames, kinds } from './kinds/index.js'
import { anyAction, anyPhase } from './kinds/kind.js'

const DateTime = Type.String({ format: 'date-time' })
const strict = { additionalProperties: false }

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'Unique in the tenant',
})
const Description = Type.String({ maxLength: 2_000 })
const PhaseName = Type.Enum([...anyPhase], {
  description: 'Whether it judges what is sent, what is answered, or both',
})
const ActionName = Type.Enum([...anyAction], {
  description:
    'Refuse the call, take out what was found, or only write it down. `redact` is for kinds that find text.',
})

export const KindFilter = Type.Enum([...kindNames])

const KindOf = Type.Enum([...kindNames], {
  description: kindNames.map((name) => `- \`${name}\`: ${kinds[name].summary}`).join('\n'),
})

type Config = Record<string, unknown>

/** The configs of all kinds; two kinds may share one. */
const configs = [...new Set(Object.values(kinds).map((kind) => kind.schema))]

export const Policy = Type.Object(
  {
    id: Type.String({ examples: ['pol_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    name: Name,
    description: Description,
    kind: KindOf,
    config: Type.Unsafe<Config>(
      Type.Union(configs, { description: 'What the kind asks for, with every default filled in' }),
    ),
    scope: Type.Object(
      { type: ScopeReference.properties.type, id: Type.String() },
      { description: 'Whose calls it judges' },
    ),
    phase: PhaseName,
    action: ActionName,
    enabled: Type.Boolean(),
    version: Type.Integer({ description: 'Starts at 1 and counts up with every change, also of the name' }),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { title: 'Policy' },
)

const writable = {
  name: Name,
  description: Description,
  // A union here would answer a fault with those of all ten kinds; the kind's own schema is applied to it instead.
  config: Type.Unsafe<Config>({
    type: 'object',
    description: 'What the kind asks for; see the config of each kind. Always given as a whole.',
  }),
  scope: ScopeReference,
  phase: PhaseName,
  action: ActionName,
  enabled: Type.Boolean(),
}

const { name: _, ...optionalFields } = writable

export const CreatePolicy = Type.Object(
  { name: Name, kind: KindOf, ...Type.Partial(Type.Object(optionalFields)).properties },
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

export const UpdatePolicy = Type.Partial(Type.Object(writable), {
  ...strict,
  minProperties: 1,
  title: 'UpdatePolicy',
})

export type Policy = Static<typeof Policy>
export type CreatePolicy = Static<typeof CreatePolicy>
export type UpdatePolicy = Static<typeof UpdatePolicy>
