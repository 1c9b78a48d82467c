import { type JsonObject, parseObject } from '@tallystick/record/json'

/** One server-sent event: its original bytes and its fields. */
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

  /** The data as an object; null when it is not one. Parsed at most once. */
  get content(): JsonObject | null {
    if (this.#content === undefined) this.#content = parseObject(this.data)
    return this.#content
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const colon = 0x3a
const space = 0x20
const byteOrderMark = 0xfeff
const maxEventBytes = 32 * 1024 * 1024

/**
 * Splits a byte stream into events at blank lines, however it is split into chunks. Lines end with LF, CR LF or CR,
 * as clients read them. The raw bytes stay with each event, so that it is relayed unchanged. Each byte is read once
 * and copied at most once: an event that arrives in a thousand chunks costs no more than one that arrives whole.
 */
export class EventSplitter {
  /** The start of an event whose end has not arrived yet. */
  #held: Buffer[] = []
  #heldBytes = 0
  /** True when the next byte starts a line. */
  #isLineStart = true
  /** True when the last byte was a CR, to which an LF may belong. */
  #isAfterReturn = false
  /** True when that CR ended an event. */
  #isEventComplete = false

  push(chunk: Buffer): StreamEvent[] {
    const events: StreamEvent[] = []
    if (chunk.length === 0) return events
    let start = 0
    const find = this.#isAfterReturn || chunk.includes(carriageReturn) ? this.#findEnd : this.#findLineFeeds
    for (let end = find(chunk, 0); end !== -1; end = find(chunk, end)) {
      events.push(readEvent(this.#release(chunk.subarray(start, end))))
      start = end
    }
    this.#hold(chunk.subarray(start))
    if (this.#heldBytes > maxEventBytes) throw new Error('an event of the stream is too large')
    return events
  }

  /** Returns what followed the last blank line as a separate event. Null when the stream ended with an event. */
  takeRest(): StreamEvent | null {
    return this.#heldBytes === 0 ? null : readEvent(this.#release(Buffer.from('\n\n')))
  }

  /**
   * Returns the position after the next empty line, or -1, for streams whose lines all end with LF, which is the
   * usual case.
   */
  readonly #findLineFeeds = (chunk: Buffer, from: number): number => {
    let lineStart = this.#isLineStart ? from : -1
    for (let at = chunk.indexOf(lineFeed, from); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) {
      if (at === lineStart) {
        this.#isLineStart = true
        return at + 1
      }
      lineStart = at + 1
    }
    this.#isLineStart = lineStart === chunk.length
    return -1
  }

  /** The same for all line endings. */
  readonly #findEnd = (chunk: Buffer, from: number): number => {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      const isSecondHalf = this.#isAfterReturn && byte === lineFeed
      if (this.#isEventComplete) {
        this.#isEventComplete = false
        this.#isAfterReturn = false
        return isSecondHalf ? at + 1 : at
      }
      this.#isAfterReturn = byte === carriageReturn
      if (isSecondHalf) continue
      const isLineEnd = byte === lineFeed || byte === carriageReturn
      if (isLineEnd && this.#isLineStart) {
        if (byte === lineFeed) return at + 1
        // Whether an LF belongs to it depends on the next byte, which may be in the next chunk.
        this.#isEventComplete = true
      }
      this.#isLineStart = isLineEnd
    }
    return -1
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
  }

  #release(end: Buffer): Buffer {
    const whole = this.#held.length === 0 ? end : Buffer.concat([...this.#held, end])
    this.#held = []
    this.#heldBytes = 0
    return whole
  }
}

/**
 * Reads an event as leniently as any client does: many decode line by line and remove a byte order mark at the
 * start of each line, not only of the first.
 */
function readEvent(raw: Buffer): StreamEvent {
  const received = raw.toString()
  const text = received.includes('\r') ? received.replace(/\r\n?/g, '\n') : received
  let name = ''
  let data: string | null = null
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    while (text.charCodeAt(start) === byteOrderMark) start++
    const piece = readField(text, start, end, 'data')
    if (piece !== null) data = data === null ? piece : `${data}\n${piece}`
    else name = readField(text, start, end, 'event') ?? name
    start = end + 1
  }
  return new StreamEvent(raw, name, data ?? '')
}

/** Returns the value of a line that has this field. A field without a colon has an empty value. */
function readField(text: string, start: number, end: number, field: string): string | null {
  if (!text.startsWith(field, start)) return null
  const after = start + field.length
  if (after === end) return ''
  if (text.charCodeAt(after) !== colon) return null
  const value = after + 1
  return text.slice(text.charCodeAt(value) === space && value < end ? value + 1 : value, end)
}

/** True for the event that ends an OpenAI stream. OpenAI's client accepts any data that starts like this. */
export const isDone = (data: string): boolean => data.startsWith(done)

const done = '[DONE]'
const comment = ':\n\n'
const separators = /[\n\u0085\u2028\u2029]/g
const hasSeparators = /[\n\u0085\u2028\u2029]/

/**
 * Writes an event of a judged stream in the one form that all clients read alike: its name and its data, which is
 * JSON, on one line each. Comments and other fields are left out because no policy judges them; comments that keep
 * a connection alive remain.
 */
export function writeEvent(name: string, data: string): string {
  if (data === '') return comment
  if (isDone(data)) return formatEvent(done)
  const line = hasSeparators.test(data) ? data.replace(separators, escapeSeparator) : data
  return name === '' ? `data: ${line}\n\n` : `event: ${name}\ndata: ${line}\n\n`
}

/** Python also splits lines at these characters. In JSON they occur in strings; a line feed does not. */
const escapeSeparator = (character: string): string =>
  character === '\n' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

export const formatEvent = (data: string, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`
