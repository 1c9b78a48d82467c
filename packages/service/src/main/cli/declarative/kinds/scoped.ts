import { isObject, type Json, stringOf } from '../json.js'
import { idOfName, type Names, nameOfId } from '../names.js'

/** The kinds of objects that a scope names by their id. */
const kindOfScope: Readonly<Record<string, string>> = { team: 'Team', key: 'Key' }

/** Scopes of budgets and policies: `{ type: team, id: research }`. */
export const scoped = {
  referencesOf(body: Json) {
    const { type, id } = isObject(body.scope) ? body.scope : {}
    const kind = kindOfScope[stringOf(type)]
    return kind === undefined || typeof id !== 'string' ? [] : [{ path: ['scope', 'id'], kind, name: id }]
  },
  async withIds(body: Json, names: Names): Promise<Json> {
    const [reference] = scoped.referencesOf(body)
    if (!reference || !isObject(body.scope)) return body
    return { ...body, scope: { ...body.scope, id: await idOfName(names, reference.kind, reference.name) } }
  },
  /** Names the object of a scope. The tenant needs no id. */
  async nameScope(scope: unknown, names: Names): Promise<Json> {
    const { type, id } = isObject(scope) ? scope : {}
    if (type === 'tenant') return { type }
    const kind = kindOfScope[stringOf(type)]
    return { type, id: kind === undefined ? id : await nameOfId(names, kind, stringOf(id)) }
  },
}

export const keyReferences = {
  referencesOf: ({ teamId }: Json) =>
    typeof teamId === 'string' ? [{ path: ['teamId'], kind: 'Team', name: teamId }] : [],
  withIds: async (body: Json, names: Names): Promise<Json> =>
    typeof body.teamId === 'string' ? { ...body, teamId: await idOfName(names, 'Team', body.teamId) } : body,
}
