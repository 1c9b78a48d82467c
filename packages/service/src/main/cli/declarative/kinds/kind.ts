import type { Client } from '../client.js'
import type { Json } from '../json.js'
import type { Names } from '../names.js'

/** An object before and after a change, in the form of the files. */
export interface Change {
  id: string
  record: Json
  /** The complete body, with secrets and ids. */
  body: Json
  /** The fields to change. */
  fields: ReadonlySet<string>
  /** The paths of secrets that are new, such as `headers.x-api-key`. */
  secrets: ReadonlySet<string>
}

/** How objects of a kind are described in files and kept by the management API. */
export interface Kind {
  kind: string
  /** The collection in the management API. */
  path: string
  /** The field of the answer to a creation that is shown only once. */
  generated?: string
  /** Fields of the document that the create body does not have, as JSON schemas. */
  extraFields?: Json
  /** Faults that the schema cannot express. */
  check?(body: Json): string[]
  /** Secrets of a body, by their path. */
  secretsOf?(body: Json): Map<string, string>
  /** A body without its secrets, in the form in which `observe` returns an object. */
  withoutSecrets?(body: Json): Json
  /** References to other objects by their names, with the path in the body. */
  referencesOf?(body: Json): { path: string[]; kind: string; name: string }[]
  /** Replaces names by ids. */
  withIds?(body: Json, names: Names): Promise<Json>
  /** Returns the settings of an object in the form of the files, without its name and secrets. */
  observe?(record: Json, client: Client, names: Names): Promise<Json>
  find?(client: Client, id: string): Promise<Json | undefined>
  findByName?(client: Client, name: string): Promise<Json[]>
  list?(client: Client): Promise<Json[]>
  /** Creates what the create body does not include. */
  afterCreate?(client: Client, id: string, body: Json): Promise<void>
  /** Makes a change that one PATCH cannot make. */
  update?(client: Client, change: Change): Promise<void>
  /** The query of a deletion, for what belongs to the object itself. */
  deleteQuery?: string
  /** Adds references to the secrets that `observe` leaves out. */
  withPlaceholders?(observed: Json, placeholder: (path: string) => string): Json
  /** Describes the settings that an export cannot contain. */
  leftOut?(record: Json, observed: Json): string[]
}
