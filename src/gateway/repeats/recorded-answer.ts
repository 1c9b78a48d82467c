/** What a caller was sent, to be sent again. */
export interface RecordedAnswer {
  status: number
  headers: Record<string, string>
  /** It came piece by piece. */
  isStream: boolean
  /** The policies that were in force for the caller when the call came, by id and version. */
  policies: string
  body: Buffer
}

const newline = 0x0a

/** The head as a line of JSON, then the bytes of the body. */
export function encodeAnswer({ body, ...head }: RecordedAnswer): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
}

export function decodeAnswer(encoded: Buffer): RecordedAnswer {
  const end = encoded.indexOf(newline)
  const head: Omit<RecordedAnswer, 'body'> = JSON.parse(encoded.toString('utf8', 0, end))
  return { ...head, body: encoded.subarray(end + 1) }
}
