import type pg from 'pg'

/** What the driver passes to a statement that is copied, beyond its published types. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** The parts of a COPY statement that both directions have. The driver calls the methods with the answer of the server. */
abstract class Copy implements pg.Submittable {
  constructor(
    readonly text: string,
    readonly done: (error: Error | null, rows: number) => void,
  ) {}
  #fault: Error | null = null
  #rows = 0

  submit(connection: pg.Connection): void {
    connection.query(this.text)
  }

  handleError(error: Error): void {
    this.#fault ??= error
    this.done(this.#fault, 0)
  }

  /** The answer to `COPY` ends with the number of rows: `COPY 12`. */
  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = Number(text.split(' ').at(-1))
  }

  handleReadyForQuery(): void {
    this.done(this.#fault, this.#rows)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

export const chunkBytes = 1 << 20
const maxWaiting = 2

class CopyOut extends Copy {
  /** Bounded: the server is not read while `maxWaiting` chunks wait. */
  readonly chunks: Buffer[] = []
  #rows: Buffer[] = []
  #bytes = 0
  #connection: pg.Connection | null = null
  #onChunk: () => void = () => undefined

  override submit(connection: pg.Connection): void {
    this.#connection = connection
    super.submit(connection)
  }

  handleCopyInResponse(): void {}

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The driver uses the memory of the chunk again.
    this.#rows.push(Buffer.from(chunk))
    this.#bytes += chunk.length
    if (this.#bytes >= chunkBytes) this.flush()
  }

  flush(): void {
    if (this.#bytes > 0) this.chunks.push(Buffer.concat(this.#rows))
    this.#rows = []
    this.#bytes = 0
    if (this.chunks.length >= maxWaiting) this.#connection?.stream.pause()
    this.#onChunk()
  }

  resume(): void {
    this.#connection?.stream.resume()
  }

  /** Resolves when a chunk was added, or the end was reached. */
  change(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChunk = resolve
    })
  }
}

/** Yields what a COPY statement returns, in chunks of whole rows. Returns the number of rows. Keeps a few chunks in memory. */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer, number> {
  const end: { error: Error | null; rows: number }[] = []
  const copy = new CopyOut(text, (error, rows) => {
    end.push({ error, rows })
    copy.flush()
  })
  client.query(copy)
  try {
    for (;;) {
      const chunk = copy.chunks.shift()
      const [ended] = end
      if (ended?.error) throw ended.error
      if (chunk !== undefined) yield chunk
      else if (ended !== undefined) return ended.rows
      else {
        const changed = copy.change()
        copy.resume()
        await changed
      }
    }
  } finally {
    copy.resume()
  }
}

class CopyIn extends Copy {
  constructor(
    text: string,
    readonly chunk: Buffer,
    done: (error: Error | null, rows: number) => void,
  ) {
    super(text, done)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.chunk)
    connection.endCopyFrom()
  }

  handleCopyData(): void {}
}

/** Writes the rows of one chunk. Returns their number. */
export const copyIn = (client: pg.Client, text: string, chunk: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(text, chunk, (error, rows) => (error ? reject(error) : resolve(rows))))
  })
