import { type FoldedText, foldVisible, hasInvisible, unfold } from './fold.js'

/** A span of the text that a policy may block or redact. */
export interface Finding {
  start: number
  end: number
  /** What was found, such as `email` or `secret:github_token`. */
  entity: string
  /** The label of its placeholder, without the number, such as `EMAIL` or `SECRET`. */
  placeholder: string
}

/** A span of the folded text in which a detector recognizes its entity. */
export interface Candidate {
  start: number
  end: number
  entity: string
}

/**
 * Returns the candidates that do not overlap, in order of position. The strongest level comes first: a candidate is dropped
 * if it overlaps one that was kept from a stronger level, or an earlier one of its own level, whether that was kept or not. Each
 * decision therefore depends on a few candidates nearby, never on a chain of overlaps through the whole text.
 */
export function resolveOverlaps(levels: Candidate[][]): Candidate[] {
  let kept: Candidate[] = []
  for (const level of levels) {
    if (level.length === 0) continue
    level.sort((a, b) => a.start - b.start || b.end - a.end)
    const keptHere: Candidate[] = []
    let coveredTo = 0
    let stronger = 0
    for (const candidate of level) {
      while ((kept[stronger]?.end ?? Infinity) <= candidate.start) stronger += 1
      const isCovered = (kept[stronger]?.start ?? Infinity) < candidate.end
      if (!isCovered && candidate.start >= coveredTo) keptHere.push(candidate)
      coveredTo = Math.max(coveredTo, candidate.end)
    }
    kept = merge(kept, keptHere)
  }
  return kept
}

function merge(a: Candidate[], b: Candidate[]): Candidate[] {
  if (a.length === 0) return b
  const merged: Candidate[] = []
  let next = 0
  for (const candidate of a) {
    for (let other = b[next]; other !== undefined && other.start < candidate.start; other = b[++next])
      merged.push(other)
    merged.push(candidate)
  }
  return merged.concat(b.slice(next))
}

export function toFindings(
  folded: FoldedText,
  candidates: Candidate[],
  placeholderOf: (entity: string) => string,
): Finding[] {
  return candidates.map((candidate) => {
    const { start, end } = unfold(folded, candidate)
    return { start, end, entity: candidate.entity, placeholder: placeholderOf(candidate.entity) }
  })
}

/**
 * Returns what is found without invisible characters, and what else is found with them. They may be hidden in a number, or separate two
 * numbers that would not be recognized as one. Both readings fold all other characters: if the second were the original, a character
 * anywhere in a text would decide how a number at its start is read, and a slice of the text would be read differently.
 */
export function findSeparated(
  text: string,
  folded: FoldedText,
  find: (folded: FoldedText) => Finding[],
): Finding[] {
  const found = find(folded)
  if (folded.positions === undefined || !hasInvisible(text)) return found
  const merged: Finding[] = []
  let next = 0
  for (const other of find(foldVisible(text))) {
    for (let known = found[next]; known && known.end <= other.start; known = found[++next]) merged.push(known)
    if ((found[next]?.start ?? Number.POSITIVE_INFINITY) >= other.end) merged.push(other)
  }
  return merged.concat(found.slice(next))
}
