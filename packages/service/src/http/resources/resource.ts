import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Db, ReplicaReads } from '../../db/index.js'
import type { ErrorType } from '../../shared/errors.js'
import type { Access } from '../auth/access.js'
import type { Owner, Principal } from '../auth/principal.js'
import type { Section } from '../openapi/describe-routes.js'
import type { PageRequest } from './pagination.js'

/**
 * An object that the management API lists, creates, reads, changes and deletes. Only the operations that are given
 * exist.
 */
export interface Resource<
  Row,
  Listed extends Row,
  Item extends TSchema,
  Parent extends TObject,
  Params extends TObject,
  Filters extends TProperties,
  Body extends TSchema,
  Answer extends TSchema,
  Change extends TSchema,
> {
  /** The path of the collection: `/v1/keys`. */
  path: string
  /** The parameters of the collection's path, if it has any. */
  parent?: Parent
  /** The parameters of an item's path. Those that the collection's path does not contain are appended. */
  params?: Params
  /** Its section of the reference; a new section includes its description. */
  tag: string | Section
  /**
   * With its article: `a key`. Operation ids and summaries are derived from these two: `createKey`, `List keys`.
   */
  one: string
  many: string
  /** The representation of a row in the API. */
  item: Item
  present(rows: readonly Row[], caller: ManagementCaller): Promise<Static<Item>[]>
  /** Reads the row; also used after a change. */
  find?(request: From<Params>): Promise<Row | undefined>
  /** Returns the owner of a row. A member cannot see that another owner's row exists. */
  ownerOf?(row: Row): { userId: string | null; keyId: string | null }
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange?(tenantId: string): void
  /** Listed by pages, with filters. */
  list?: List<Listed, Parent, Filters>
  /** Listed completely, as an array, unless the request asks for a page. */
  listAll?: ListAll<Row, Parent>
  create?: Create<Parent, Body, Answer>
  read?: Operation
  update?: Update<Params, Change, Item>
  remove?: Remove<Params>
}

/** The sender of a request. */
export interface ManagementCaller {
  principal: Principal
  tenantId: string
  /** The owner whose rows it sees; null for a caller that sees all rows of its tenant. */
  own: Owner | null
}

/** A request of a caller, with the parameters of its path. */
type From<Params extends TObject> = ManagementCaller & { params: Static<Params> }

export interface Operation {
  /** Defaults to `manager` for operations that change something and to `reader` for the others. */
  access?: Access
  /**
   * Failures in addition to those of every route with the same access. By default, operations on an existing row
   * can fail with not found.
   */
  errors?: ErrorType[]
  operationId?: string
  summary?: string
  description?: string
}

interface List<Listed, Parent extends TObject, Filters extends TProperties> extends Operation {
  filters?: Filters
  /** The title of the schema of a page. */
  title?: string
  /** For a list that may be a moment old. Without this, it is read from the primary. */
  reads?: ReplicaReads
  rows(request: From<Parent> & { filter: Filter<Filters> }, db: Db): Promise<Listed[]>
  /** Returns the position after which the next page starts. */
  position(row: Listed): string
}

interface ListAll<Row, Parent extends TObject> extends Operation {
  /** Returns the rows of a page, or every row if the page is null. */
  rows(request: From<Parent> & { page: PageRequest | null }): Promise<readonly Row[]>
  /** Returns the position after which the next page starts. A list without this has no pages. */
  position?(row: Row): string
}

/** Every filter, null when it was not given, and the requested rows. */
export type Filter<Filters extends TProperties> = FilterValues<Filters> & {
  own: Owner | null
  /** The position after which the page starts; null for the first page. */
  after: string | null
  limit: number
}

export type FilterValues<Filters extends TProperties> = {
  [Name in keyof Filters]: Exclude<Static<Filters[Name]>, undefined> | null
}

interface Create<Parent extends TObject, Body extends TSchema, Answer extends TSchema> extends Operation {
  body: Body
  /** The item, including what is shown only once. */
  answer: Answer
  /**
   * Does what needs no transaction, such as resolving a name, and returns the function that creates the item. That
   * function does everything with the `db` that it is given: this may be a transaction that also stores the answer
   * for repeated requests.
   */
  run(
    request: From<Parent> & { body: Static<Body> },
  ): CreateItem<Static<Answer>> | Promise<CreateItem<Static<Answer>>>
}

/** Creates an item with a database, which may be a transaction. */
export type CreateItem<Answer> = (db: Db) => Promise<Answer>

interface Update<Params extends TObject, Change extends TSchema, Item extends TSchema> extends Operation {
  method?: 'PATCH' | 'PUT'
  body: Change
  /** Changes the item, which is then read again: the response may include a later change. */
  run?(request: From<Params> & { body: Static<Change> }): Promise<unknown>
  /** Replaces `run` for versioned items: changes the item and returns the version that this change made. */
  runAndPresent?(request: From<Params> & { body: Static<Change> }): Promise<Static<Item>>
}

interface Remove<Params extends TObject> extends Operation {
  /** True when it accepts `cascade`, which also deletes the objects that refer to the item. */
  cascades?: true
  /** The result for the item, in the documentation. */
  outcome?: string
  run(request: From<Params> & { cascade: boolean }): Promise<void>
}

/** Presents rows one by one. */
export const presentEach =
  <Row, Item>(present: (row: Row) => Item | Promise<Item>) =>
  (rows: readonly Row[]): Promise<Item[]> =>
    Promise.all(rows.map((row) => present(row)))
