import type { Client } from './client.js'
import { type Json, stringOf } from './json.js'

/** How the objects of a kind are found. Without further ones, the whole collection is listed. */
interface Collection {
  path: string
  find?(client: Client, id: string): Promise<Json | undefined>
  findByName?(client: Client, name: string): Promise<Json[]>
  list?(client: Client): Promise<Json[]>
}

/** Finds objects by name and by id. What was read is kept until `forget`. */
export interface Names {
  /** Objects that exist, with this name. */
  named(kind: string, name: string): Promise<Json[]>
  withId(kind: string, id: string): Promise<Json | undefined>
  all(kind: string): Promise<Json[]>
  forget(kind: string): void
}

export function createNames(client: Client, kinds: ReadonlyMap<string, Collection>): Names {
  // Bounded: by the kinds, for one run of a command.
  const lists = new Map<string, Promise<Json[]>>()

  function all(name: string): Promise<Json[]> {
    const kind = kinds.get(name)
    if (!kind) return Promise.resolve([])
    const known = lists.get(name) ?? (kind.list ? kind.list(client) : client.list(kind.path))
    lists.set(name, known)
    return known
  }

  return {
    all,
    forget: (kind) => void lists.delete(kind),
    async named(kind, name) {
      const { findByName } = kinds.get(kind) ?? {}
      if (findByName) return await findByName(client, name)
      return (await all(kind)).filter((record) => record.name === name)
    },
    async withId(kind, id) {
      const { find } = kinds.get(kind) ?? {}
      if (find) return await find(client, id)
      return (await all(kind)).find((record) => record.id === id)
    },
  }
}

/** Returns the id of a named object. A text that names none may be an id itself. */
export async function idOfName(names: Names, kind: string, name: string): Promise<string> {
  const [found, ...others] = await names.named(kind, name)
  if (others.length > 0)
    throw new Error(
      `there are ${others.length + 1} objects of kind ${kind} called ${name}; use the id of one`,
    )
  if (found) return stringOf(found.id)
  if (await names.withId(kind, name)) return name
  throw new Error(`there is no ${kind} called ${name}`)
}

/** Returns the name of an object. An object that no longer exists, or shares its name, is named by its id. */
export async function nameOfId(names: Names, kind: string, id: string): Promise<string> {
  const record = await names.withId(kind, id)
  const name = stringOf(record?.name)
  if (name === '' || (await names.named(kind, name)).length > 1) return id
  return name
}
