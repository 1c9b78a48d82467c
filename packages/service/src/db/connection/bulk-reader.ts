import pg from 'pg'
import { connectionSettings, createSocketWithTimeout, type Statement } from './database.js'

/** A connection for reading very many rows: as bytes, one after the other, none of them kept. */
export interface BulkReader {
  /** Hands over each row as it comes in: its columns in the database's binary form. */
  read(statement: Statement, onRow: (columns: readonly Buffer[]) => void): Promise<void>
  close(): Promise<void>
}

/**
 * Rows come through COPY. Measured on rows of 1.2 kB: 2 µs of CPU each, against 6 µs as rows of a query, most of which
 * went into making strings that nobody needed.
 */
export async function connectBulkReader(url: string): Promise<BulkReader> {
  const client = new pg.Client({ ...connectionSettings(url), stream: () => createSocketWithTimeout() })
  // A connection that breaks fails the statement under way, which reports it; here it must only not throw.
  client.on('error', () => undefined)
  await client.connect()
  return {
    read: ({ text, values }, onRow) =>
      new Promise((resolve, reject) => {
        const copy = `copy (${fillIn(text, values)}) to stdout (format binary)`
        client.query(new CopyOut(copy, onRow, (error) => (error ? reject(error) : resolve())))
      }),
    close: () => client.end(),
  }
}

// COPY takes no parameters.
function fillIn(text: string, values: readonly unknown[]): string {
  return text.replaceAll(/\$(\d+)/g, (_, place: string) => {
    const value = values[Number(place) - 1]
    if (typeof value === 'string') return pg.escapeLiteral(value)
    if (Number.isSafeInteger(value)) return String(value)
    throw new TypeError(`Parameter $${place} is neither text nor a whole number`)
  })
}

/** What the driver calls while it works through a statement. */
class CopyOut implements pg.Submittable {
  #isFirst = true
  #fault: Error | null = null

  constructor(
    readonly text: string,
    readonly onRow: (columns: readonly Buffer[]) => void,
    readonly done: (error: Error | null) => void,
  ) {}

  submit(connection: pg.Connection): void {
    connection.query(this.text)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#fault !== null) return
    try {
      readTuples(this.#isFirst ? skipHeader(chunk) : chunk, this.onRow)
      this.#isFirst = false
    } catch (error) {
      // Whatever a reader of rows throws must not be thrown into the driver; the rest of the rows is passed over.
      this.#fault = error instanceof Error ? error : new Error(String(error))
    }
  }

  handleError(error: Error): void {
    this.#fault ??= error
    this.done(this.#fault)
  }

  handleReadyForQuery(): void {
    this.done(this.#fault)
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
}

const fixedHeaderBytes = 19

function skipHeader(chunk: Buffer): Buffer {
  return chunk.subarray(fixedHeaderBytes + chunk.readInt32BE(fixedHeaderBytes - 4))
}

/** Each tuple is its number of columns, then the length and the bytes of each; -1 columns mark the end. */
function readTuples(bytes: Buffer, onRow: (columns: readonly Buffer[]) => void): void {
  for (let at = 0; at < bytes.length; ) {
    const count = bytes.readInt16BE(at)
    at += 2
    if (count < 0) return
    const columns: Buffer[] = []
    for (let column = 0; column < count; column++) {
      // Null has the length -1 and no bytes.
      const length = Math.max(0, bytes.readInt32BE(at))
      columns.push(bytes.subarray(at + 4, at + 4 + length))
      at += 4 + length
    }
    onRow(columns)
  }
}
