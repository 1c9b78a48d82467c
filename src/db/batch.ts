import type pg from 'pg'
import type { Statement } from './database.js'
import { toParameter } from './parameter.js'

interface Field {
  name: string
  dataTypeID: number
}

type Row = Record<string, unknown>

/** What one statement of a batch gave back. */
export interface BatchResult {
  rows: Row[]
  command: string
}

/**
 * Several statements in one message, with one Sync behind all of them. The driver's own pipeline sends a Sync after
 * each, and for each the server answers, flushes and (outside a transaction) commits. After a fault the server skips
 * the rest: nothing behind it has run.
 */
export class Batch implements pg.Submittable {
  readonly #statements: readonly Statement[]
  readonly #parsed: Set<string>
  readonly #readType: (oid: number) => (text: string) => unknown
  readonly #results: BatchResult[] = []
  #resolve: (results: BatchResult[]) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  /** Names that the server learns with this batch, if it gets that far. */
  readonly #new = new Set<string>()
  #fields: Field[] = []
  #rows: Row[] = []
  /** The server answers in the order in which it was asked. */
  readonly done: Promise<BatchResult[]>

  /** `parsed` holds the names that this connection's server knows already; it is the connection's, not the batch's. */
  constructor(statements: readonly Statement[], parsed: Set<string>, types: pg.CustomTypesConfig) {
    this.#statements = statements
    this.#parsed = parsed
    this.#readType = (oid) => types.getTypeParser(oid, 'text')
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection
    stream.cork()
    for (const { name = '', text, values } of this.#statements) {
      if (name === '' || !this.#parsed.has(name)) this.#parse(connection, name, text)
      connection.bind({ statement: name, values: values.map(toParameter) }, true)
      connection.describe({ type: 'P', name: '' }, true)
      connection.execute({ portal: '' }, true)
    }
    connection.sync()
    stream.uncork()
  }

  #parse(connection: pg.Connection, name: string, text: string): void {
    if (name !== '') {
      // After a fault it is not known how far the server came; closing a name that it does not know does no harm.
      connection.close({ type: 'S', name }, true)
      this.#parsed.add(name)
      this.#new.add(name)
    }
    connection.parse({ name, text, types: [] }, true)
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#fields = fields
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
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
      if (this.#new.has(name)) this.#parsed.delete(name)
    this.#reject(error)
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#results)
  }
}
