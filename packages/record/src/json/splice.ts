/** JSON text that replaces the range from `start` to `end`, or is inserted when the two are equal. */
export interface Edit {
  start: number
  end: number
  json: string
}

/** Returns the text with some ranges replaced. The edits are in order and do not overlap. */
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

/** An edit of a range of bytes. Long JSON is passed as bytes. */
export interface ByteEdit extends Omit<Edit, 'json'> {
  json: string | Buffer
}

/** Does the same as `splice` for bytes, with positions in bytes. */
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
