import type { Finding } from './use-trial'

export interface Mark {
  start: number
  end: number
  finding: Finding
}

/** The findings in the tested text, in order and without overlaps. */
export function marksOf(findings: readonly Finding[]): Mark[] {
  const marks: Mark[] = []
  const sorted = findings
    .filter(({ path }) => path === 'messages.0.content')
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  for (const finding of sorted)
    if (finding.start >= (marks.at(-1)?.end ?? 0))
      marks.push({ start: finding.start, end: finding.end, finding })
  return marks
}

/** Moves marks to their position in the edited text. Marks that the edit touches are dropped until the next result. */
export function moveMarks(marks: readonly Mark[], before: string, after: string): Mark[] {
  if (before === after) return [...marks]
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const shift = after.length - before.length
  return marks.flatMap((mark) => {
    if (mark.end <= head) return [mark]
    if (mark.start >= before.length - tail)
      return [{ ...mark, start: mark.start + shift, end: mark.end + shift }]
    return []
  })
}

export interface Piece {
  at: number
  text: string
  mark: Mark | null
}

/** Splits a text at the start and end of its marks. */
export function cutAtMarks(text: string, marks: readonly Mark[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const mark of marks) {
    if (mark.start > at) pieces.push({ at, text: text.slice(at, mark.start), mark: null })
    pieces.push({ at: mark.start, text: text.slice(mark.start, mark.end), mark })
    at = mark.end
  }
  if (at < text.length) pieces.push({ at, text: text.slice(at), mark: null })
  return pieces
}
