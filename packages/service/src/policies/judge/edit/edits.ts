/** A span of a text and its replacement. */
export interface Edit {
  start: number
  end: number
  replacement: string
}

/** Applies edits, which must be in order and must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, replacement } of edits) {
    pieces.push(text.slice(at, start), replacement)
    at = end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

/** Combines removals and restored values. A value is not restored within a removal. */
export function combineEdits(removals: readonly Edit[], restored: readonly Edit[]): Edit[] {
  if (restored.length === 0) return [...removals]
  const apart = restored.filter(({ start, end }) =>
    removals.every((removal) => removal.end <= start || removal.start >= end),
  )
  return [...removals, ...apart].sort((a, b) => a.start - b.start)
}
