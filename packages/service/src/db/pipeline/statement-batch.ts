import type pg from 'pg'
import { serialize } from 'pg-protocol/dist/serializer.js'
import type { Statement } from '../connection/database.js'
import { toParameter } from './parameter.js'

interface Field {
  name: string
  dataTypeID: number
}

type Row = Record<string, unknown>

/** The result of one statement of a batch. */
export interface BatchResult {
  rows: Row[]
  command: string
}

export interface BatchOptions {
  /** The names of the statements that the connection has prepared. All batches of the connection share the set. */
  prepared: Set<string>
  types: pg.CustomTypesConfig
  /** Whether the rows of the last statement are read. Those of other statements are read only if they have `onCommitted`. */
  readsLast: boolean
}

/**
 * Several statements in one write, with one Sync after the last. The pipeline mode of the driver sends a Sync after each statement, and
 * for each Sync the server answers, flushes and (outside a transaction) commits. After an error the server skips the rest.
 */
export class Batch implements pg.Submittable {
  readonly #statements: readonly Statement[]
  readonly #prepared: Set<string>
  readonly #readsLast: boolean
  readonly #readType: (oid: number) => (text: string) => unknown
  readonly #results: BatchResult[] = []
  #resolve: (results: BatchResult[]) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  /** The names of the statements that this batch prepares, if the server reaches them. */
  // Bounded: statements of one batch.
  readonly #preparing = new Set<string>()
  #fields: Field[] = []
  #rows: Row[] = []
  /** Resolves with the results in the order of the statements. */
  readonly done: Promise<BatchResult[]>

  constructor(statements: readonly Statement[], { prepared, types, readsLast }: BatchOptions) {
    this.#statements = statements
    this.#prepared = prepared
    this.#readsLast = readsLast
    this.#readType = (oid) => types.getTypeParser(oid, 'text')
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: pg.Connection): void {
    const messages: Buffer[] = []
    const last = this.#statements.length - 1
    for (const [index, { name = '', text, values, onCommitted }] of this.#statements.entries()) {
      if (name === '' || !this.#prepared.has(name)) messages.push(...this.#parse(name, text))
      messages.push(serialize.bind({ statement: name, values: values.map(toParameter) }))
      if (onCommitted || (index === last && this.#readsLast)) messages.push(serialize.describe({ type: 'P' }))
      messages.push(serialize.execute())
    }
    messages.push(serialize.sync())
    // Writing one buffer to the socket is cheaper than writing dozens.
    connection.stream.write(Buffer.concat(messages))
  }

  #parse(name: string, text: string): Buffer[] {
    const parse = serialize.parse({ name, text, types: [] })
    if (name === '') return [parse]
    this.#prepared.add(name)
    this.#preparing.add(name)
    // After an error the server may or may not have prepared the statement. Closing an unknown name does no harm.
    return [serialize.close({ type: 'S', name }), parse]
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#fields = fields
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#fields.length === 0) return
    const row: Row = {}
    for (const [i, { name, dataTypeID }] of this.#fields.entries()) {
      const text = fields[i]
      row[name] = typeof text === 'string' ? this.#readType(dataTypeID)(text) : null
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#results.push({ rows: this.#rows, command: text })
    this.#rows = []
    this.#fields = []
  }

  handleError(error: unknown): void {
    for (const { name = '' } of this.#statements.slice(this.#results.length))
      if (this.#preparing.has(name)) this.#prepared.delete(name)
    this.#reject(error)
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#results)
  }
}
