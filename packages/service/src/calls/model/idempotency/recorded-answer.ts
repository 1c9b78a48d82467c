/** An answer that was sent to a caller and can be replayed. */
export interface RecordedAnswer {
  status: number
  headers: Record<string, string>
  /** Whether the answer was a stream. */
  isStream: boolean
  /** The policies that applied to the caller at the time of the call, by id and version. */
  policies: string
  body: Buffer
}

const newline = 0x0a

/** Writes the status and headers as a line of JSON, followed by the body. */
export function encodeAnswer({ body, ...head }: RecordedAnswer): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
}

export function decodeAnswer(encoded: Buffer): RecordedAnswer {
  const end = encoded.indexOf(newline)
  const head: Omit<RecordedAnswer, 'body'> = JSON.parse(encoded.toString('utf8', 0, end))
  return { ...head, body: encoded.subarray(end + 1) }
}
