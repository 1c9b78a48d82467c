/** JSON text for a place; nothing is replaced where `start` is `end`. */
export interface Edit {
  start: number
  end: number
  json: string
}

/** The text with other JSON in some places, which are in order and do not overlap; every other character stays. */
export function splice(json: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let at = 0
  for (const edit of edits) {
    pieces.push(json.slice(at, edit.start), edit.json)
    at = edit.end
  }
  pieces.push(json.slice(at))
  return pieces.join('')
}

/** JSON for a place in bytes: as text, or as bytes where it is long. */
export interface ByteEdit extends Omit<Edit, 'json'> {
  json: string | Buffer
}

/** The same for bytes, with positions of bytes. */
export function spliceBytes(json: Buffer, edits: readonly ByteEdit[]): Buffer {
  const pieces: Buffer[] = []
  let at = 0
  for (const edit of edits) {
    const inserted = typeof edit.json === 'string' ? Buffer.from(edit.json) : edit.json
    pieces.push(json.subarray(at, edit.start), inserted)
    at = edit.end
  }
  pieces.push(json.subarray(at))
  return Buffer.concat(pieces)
}
