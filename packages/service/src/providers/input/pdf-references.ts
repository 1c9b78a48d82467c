/** Maps each object to the names that precede references to it; an empty name inside an array. */
export function findReferences(structure: string): Map<number, string[]> {
  const references = new Map<number, string[]>()
  for (const [, name = '', object] of structure.matchAll(
    /(?:\/([^\s/<>[\]()]+)\s+|\b)(\d{1,10})\s+\d{1,5}\s+R\b/g,
  )) {
    const uses = references.get(Number(object))
    if (uses === undefined) references.set(Number(object), [name])
    else uses.push(name)
  }
  return references
}

// The most digits and white space that programs write before the end of a reference, and the longest line that is
// examined.
const maxTailChars = 64
const maxLineChars = 4_096

/**
 * Returns whether a comment splits a reference (`5 0 % text`, then `R` on the next line), which `findReferences`
 * would miss. Looks back from each `R` that can end a reference.
 */
export function hasSplitReference(structure: string): boolean {
  for (const { index } of structure.matchAll(/(?<=\s)R(?=[\s/<>[\](%]|$)/g)) {
    const tail = /[\d\s]*$/.exec(structure.slice(Math.max(0, index - maxTailChars), index))?.[0] ?? ''
    if (tail.length === maxTailChars) return true
    const lineEnd = tail.search(/[\r\n]/)
    if (lineEnd >= 0 && endsInComment(structure, index - tail.length + lineEnd)) return true
  }
  return false
}

/** True for a comment after a number, or on its own line. A line whose start is out of reach counts as one. */
function endsInComment(structure: string, end: number): boolean {
  const text = structure.slice(Math.max(0, end - maxLineChars), end)
  const line = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
  return line.length === maxLineChars || /(?:^|\d)\s{0,64}%/.test(line)
}
