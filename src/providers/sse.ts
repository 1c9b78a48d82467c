/** One server-sent event: its bytes as they came, and what they say. */
export interface StreamEvent {
  raw: Buffer
  name: string
  data: string
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const maxEventBytes = 32 * 1024 * 1024

/**
 * Cuts a byte stream into events at blank lines, whatever way the chunks fall. The raw bytes stay with each event,
 * so that what is relayed is what was sent.
 */
export class EventSplitter {
  #rest: Buffer = Buffer.alloc(0)
  /** Where the search for a blank line goes on, so that a long event is not searched again with every chunk. */
  #searched = 0

  push(chunk: Buffer): StreamEvent[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const events: StreamEvent[] = []
    let start = 0
    let at = this.#searched
    for (;;) {
      const end = findBlankLine(bytes, at)
      if (end === -1) break
      events.push(readEvent(bytes.subarray(start, end)))
      start = end
      at = end
    }
    this.#rest = bytes.subarray(start)
    this.#searched = Math.max(0, this.#rest.length - 3)
    if (this.#rest.length > maxEventBytes) throw new Error('an event of the stream is too large')
    return events
  }

  /** Bytes after the last blank line: empty when the stream ended where an event ended. */
  rest(): Buffer {
    return this.#rest
  }
}

/** The position behind the next empty line, or -1. Lines end with LF or CR LF. */
function findBlankLine(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(lineFeed, from); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === lineFeed) return at + 2
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === lineFeed) return at + 3
  }
  return -1
}

function readEvent(raw: Buffer): StreamEvent {
  let name = ''
  const data: string[] = []
  for (const line of raw.toString().split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    if (field !== 'event' && field !== 'data') continue
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    else data.push(value)
  }
  return { raw, name, data: data.join('\n') }
}

export const formatEvent = (data: string, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`
