import type pg from 'pg'
import { serialize } from 'pg-protocol/dist/serializer.js'
import type { Statement } from '../connection/database.js'
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

export interface BatchOptions {
  /** The names that this connection's server knows already; the set is the connection's, not the batch's. */
  parsed: Set<string>
  types: pg.CustomTypesConfig
  /** Whether the rows of the last statement are read. Those of the others are read only where `onCommitted` is given. */
  readsLast: boolean
}

/**
 * Several statements in one write, with one Sync after the last. The driver's own pipeline sends a Sync after each, and
 * for each the server answers, flushes and (outside a transaction) commits. After an error the server skips the rest.
 */
export class Batch implements pg.Submittable {
  readonly #statements: readonly Statement[]
  readonly #parsed: Set<string>
  readonly #readsLast: boolean
  readonly #readType: (oid: number) => (text: string) => unknown
  readonly #results: BatchResult[] = []
  #resolve: (results: BatchResult[]) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  /** Names that the server learns with this batch, if it gets that far. */
  // Bounded: statements of one batch.
  readonly #new = new Set<string>()
  #fields: Field[] = []
  #rows: Row[] = []
  /** The server answers in the order in which it was asked. */
  readonly done: Promise<BatchResult[]>

  constructor(statements: readonly Statement[], { parsed, types, readsLast }: BatchOptions) {
    this.#statements = statements
    this.#parsed = parsed
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
    for (const [place, { name = '', text, values, onCommitted }] of this.#statements.entries()) {
      if (name === '' || !this.#parsed.has(name)) messages.push(...this.#parse(name, text))
      messages.push(serialize.bind({ statement: name, values: values.map(toParameter) }))
      if (onCommitted || (place === last && this.#readsLast)) messages.push(serialize.describe({ type: 'P' }))
      messages.push(serialize.execute())
    }
    messages.push(serialize.sync())
    // One buffer for the socket: writing dozens costs more than making them.
    connection.stream.write(Buffer.concat(messages))
  }

  #parse(name: string, text: string): Buffer[] {
    const parse = serialize.parse({ name, text, types: [] })
    if (name === '') return [parse]
    this.#parsed.add(name)
    this.#new.add(name)
    // After a fault it is not known how far the server came; closing a name that it does not know does no harm.
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
      if (this.#new.has(name)) this.#parsed.delete(name)
    this.#reject(error)
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#results)
  }
}
