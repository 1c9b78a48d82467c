/** A span of a text, and what it becomes. */
export interface Edit {
  start: number
  end: number
  replacement: string
}

/** The text with its edits, which must be in order and must not overlap. */
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

/** What is removed stays removed, also where a value would be restored in it. */
export function combineEdits(removals: readonly Edit[], restored: readonly Edit[]): Edit[] {
  if (restored.length === 0) return [...removals]
  const apart = restored.filter(({ start, end }) =>
    removals.every((removal) => removal.end <= start || removal.start >= end),
  )
  return [...removals, ...apart].sort((a, b) => a.start - b.start)
}
