import { type JsonObject, parseObject } from '../json/index.js'

/** One server-sent event: its bytes as they came, and its fields. */
export class StreamEvent {
  readonly raw: Buffer
  readonly name: string
  readonly data: string
  #content: JsonObject | null | undefined

  constructor(raw: Buffer, name: string, data: string) {
    this.raw = raw
    this.name = name
    this.data = data
  }

  /** The data as an object; null when it is not one. Parsed once. */
  get content(): JsonObject | null {
    if (this.#content === undefined) this.#content = parseObject(this.data)
    return this.#content
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const colon = 0x3a
const space = 0x20
const maxEventBytes = 32 * 1024 * 1024

/**
 * Cuts a byte stream into events at blank lines, whatever way the chunks fall. The raw bytes stay with each event,
 * so that what is relayed is what was sent. Each byte is read once and copied at most once: an event that comes
 * in a thousand chunks costs no more than one that comes whole.
 */
export class EventSplitter {
  /** The beginning of an event whose end has not come yet. */
  #held: Buffer[] = []
  #heldBytes = 0
  #last = 0
  #secondLast = 0

  push(chunk: Buffer): StreamEvent[] {
    const events: StreamEvent[] = []
    let start = 0
    for (let end = this.#findFirstEnd(chunk); end !== -1; end = findBlankLine(chunk, end)) {
      events.push(readEvent(this.#release(chunk.subarray(start, end))))
      start = end
    }
    this.#hold(chunk.subarray(start))
    if (this.#heldBytes > maxEventBytes) throw new Error('an event of the stream is too large')
    return events
  }

  /** Takes what came after the last blank line as an event of its own. Null when the stream ended where an event did. */
  takeRest(): StreamEvent | null {
    return this.#heldBytes === 0 ? null : readEvent(this.#release(Buffer.from('\n\n')))
  }

  /** The blank line may have begun in an earlier chunk: LF | LF, LF | CR LF, LF CR | LF. */
  #findFirstEnd(chunk: Buffer): number {
    const afterFeed = this.#last === lineFeed
    if (afterFeed && chunk[0] === lineFeed) return 1
    if (afterFeed && chunk[0] === carriageReturn && chunk[1] === lineFeed) return 2
    if (this.#secondLast === lineFeed && this.#last === carriageReturn && chunk[0] === lineFeed) return 1
    return findBlankLine(chunk, 0)
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    this.#secondLast = bytes.length > 1 ? (bytes.at(-2) ?? 0) : this.#last
    this.#last = bytes.at(-1) ?? 0
  }

  #release(end: Buffer): Buffer {
    const whole = this.#held.length === 0 ? end : Buffer.concat([...this.#held, end])
    this.#held = []
    this.#heldBytes = 0
    this.#last = 0
    this.#secondLast = 0
    return whole
  }
}

/** The position after the next empty line, or -1. Lines end with LF or CR LF. */
function findBlankLine(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(lineFeed, from); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === lineFeed) return at + 2
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === lineFeed) return at + 3
  }
  return -1
}

function readEvent(raw: Buffer): StreamEvent {
  const text = raw.toString()
  let name = ''
  let data: string | null = null
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const isTerminated = feed !== -1
    const hasReturn = isTerminated && feed > start && text.charCodeAt(feed - 1) === carriageReturn
    const end = isTerminated ? feed - Number(hasReturn) : text.length
    const piece = readField(text, start, end, 'data')
    if (piece !== null) data = data === null ? piece : `${data}\n${piece}`
    else name = readField(text, start, end, 'event') ?? name
    start = isTerminated ? feed + 1 : text.length
  }
  return new StreamEvent(raw, name, data ?? '')
}

/** The value of a line, when it is of this field. A field without a colon has an empty value. */
function readField(text: string, start: number, end: number, field: string): string | null {
  if (!text.startsWith(field, start)) return null
  const after = start + field.length
  if (after === end) return ''
  if (text.charCodeAt(after) !== colon) return null
  const value = after + 1
  return text.slice(text.charCodeAt(value) === space && value < end ? value + 1 : value, end)
}

/** The same event with other data. */
export const rewriteEvent = ({ name }: { name: string }, data: string): string =>
  `${name === '' ? '' : `event: ${name}\n`}${data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`

export const formatEvent = (data: string, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`
