import { type FoldedText, unfold } from './fold.js'

/** A place in the text that someone would not want to hand out. */
export interface Finding {
  start: number
  end: number
  /** `email`, or `secret:github_token`. */
  entity: string
  /** What stands in its place when it is redacted, before the number: `EMAIL`, `SECRET`. */
  placeholder: string
}

/** A span of the folded text that a detector takes for its entity. */
export interface Candidate {
  start: number
  end: number
  entity: string
}

/**
 * Leaves of all candidates those that do not overlap, in order of place. The levels come strongest first: a candidate
 * gives way to those of stronger levels that stayed, and to an earlier one of its own level whether that stayed or not.
 * So the fate of a candidate hangs on a few others near it, never on a chain through the whole text.
 */
export function settle(levels: Candidate[][]): Candidate[] {
  let kept: Candidate[] = []
  for (const level of levels) {
    if (level.length === 0) continue
    level.sort((a, b) => a.start - b.start || b.end - a.end)
    const staying: Candidate[] = []
    let covered = 0
    let stronger = 0
    for (const candidate of level) {
      while ((kept[stronger]?.end ?? Infinity) <= candidate.start) stronger += 1
      const beaten = (kept[stronger]?.start ?? Infinity) < candidate.end
      if (!beaten && candidate.start >= covered) staying.push(candidate)
      covered = Math.max(covered, candidate.end)
    }
    kept = merge(kept, staying)
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

export function present(
  original: string,
  folded: FoldedText,
  candidates: Candidate[],
  placeholderOf: (entity: string) => string,
): Finding[] {
  return candidates.map((candidate) => {
    const { start, end } = unfold(original, folded, candidate)
    return { start, end, entity: candidate.entity, placeholder: placeholderOf(candidate.entity) }
  })
}
