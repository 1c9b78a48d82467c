import { type Static, Type } from 'typebox'
import { DateTime, Name, Nullable, strict, withDefault } from '../../http/index.js'

const SetName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'The set of files that owns the object. `tallystick apply --set` names it',
  examples: ['default'],
})
const Kind = Type.String({
  pattern: '^[A-Z][A-Za-z]{0,63}$',
  description: 'The `kind` of the document that describes the object',
  examples: ['Team'],
})
const ResourceId = Nullable(
  Type.String({ minLength: 1, maxLength: 64 }),
  'The id of the object, as the program that applies the files noted it. Null until the object is created',
)
const State = Type.Enum(['applying', 'applied'], {
  description:
    '`applying` is set before the object is changed, and `applied` after that. An object that stays `applying` belongs to an apply that was interrupted',
})
const Hashes = Type.Record(
  Type.String({ minLength: 1, maxLength: 300 }),
  Type.String({ minLength: 1, maxLength: 200 }),
  { maxProperties: 300 },
)
const SpecHashes = {
  ...Hashes,
  description: 'Hashes of the fields that were last applied. Those of secrets are salted and slow to compute',
}
const StateHashes = {
  ...Hashes,
  description: 'Hashes of the same fields, as the API returned them after that. They show later changes',
}

export const ManagedResource = Type.Object(
  {
    id: Type.String({ examples: ['mres_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    set: SetName,
    kind: Kind,
    name: Type.String({ description: 'The name of the object in the files' }),
    resourceId: ResourceId,
    state: State,
    specHashes: SpecHashes,
    stateHashes: StateHashes,
    revision: Type.Integer({ minimum: 1, description: 'Increases by one with each change' }),
    updatedBy: Type.String({ description: 'The key or session that made the last change' }),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  {
    title: 'ManagedResource',
    examples: [
      {
        id: 'mres_01k9zq3w8hcv7m2x4n6p8r0t1y',
        set: 'default',
        kind: 'Team',
        name: 'research',
        resourceId: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y',
        state: 'applied' as const,
        specHashes: { budgetPoolUsd: '5f9c4ab08cac7457' },
        stateHashes: { budgetPoolUsd: '5f9c4ab08cac7457' },
        revision: 2,
        updatedBy: 'key_01k9zq3w8hcv7m2x4n6p8r0t1x',
        createdAt: '2026-11-15T09:30:00.000Z',
        updatedAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type ManagedResource = Static<typeof ManagedResource>

export const ManagedResourceFilters = {
  set: Type.Optional({ ...SetName, description: 'Return only objects of this set' }),
  kind: Type.Optional({ ...Kind, description: 'Return only objects of this kind' }),
}

export const CreateManagedResource = Type.Object(
  {
    set: withDefault(SetName, 'default'),
    kind: Kind,
    name: Name({ description: 'The name of the object in the files. Unique for each kind' }),
    resourceId: withDefault(ResourceId, null),
    state: withDefault(State, 'applying'),
    specHashes: withDefault(SpecHashes, {}),
    stateHashes: withDefault(StateHashes, {}),
  },
  { ...strict, title: 'CreateManagedResource', examples: [{ kind: 'Team', name: 'research' }] },
)
export type CreateManagedResource = Static<typeof CreateManagedResource>

export const UpdateManagedResource = Type.Partial(
  Type.Object({
    ifRevision: Type.Integer({
      minimum: 1,
      description: 'The request fails with 409 if the object has another revision',
    }),
    set: SetName,
    resourceId: ResourceId,
    state: State,
    specHashes: SpecHashes,
    stateHashes: StateHashes,
  }),
  {
    ...strict,
    minProperties: 1,
    title: 'UpdateManagedResource',
    examples: [{ ifRevision: 1, resourceId: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y', state: 'applied' }],
  },
)
export type UpdateManagedResource = Static<typeof UpdateManagedResource>
