export interface Change<T> {
  kind: 'same' | 'added' | 'removed'
  items: T[]
}

/** Above this many pairs the middle is reported as replaced, which is exact but not minimal. This bounds time and memory. */
const maxPairs = 4_000_000

/** The shortest edit script from one list to another. */
export function diff<T>(before: readonly T[], after: readonly T[]): Change<T>[] {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const changes: Change<T>[] = []
  const add = (kind: Change<T>['kind'], items: readonly T[]) => {
    const last = changes.at(-1)
    // Items are pushed one by one, because a spread of very many arguments overflows the stack.
    if (last?.kind === kind) for (const item of items) last.items.push(item)
    else if (items.length > 0) changes.push({ kind, items: [...items] })
  }
  add('same', before.slice(0, head))
  const old = before.slice(head, before.length - tail)
  const inserted = after.slice(head, after.length - tail)
  if (old.length * inserted.length > maxPairs) {
    add('removed', old)
    add('added', inserted)
  } else for (const [kind, item] of diffBySubsequence(old, inserted)) add(kind, [item])
  add('same', before.slice(before.length - tail))
  return changes
}

/** Computes the edit script from the longest common subsequence. */
function diffBySubsequence<T>(before: readonly T[], after: readonly T[]): [Change<T>['kind'], T][] {
  const width = after.length + 1
  const longest = new Uint32Array((before.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      longest[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const edits: [Change<T>['kind'], T][] = []
  let j = 0
  for (const [i, item] of before.entries()) {
    // Emit the additions that precede this item.
    while (j < after.length && after[j] !== item && at(i, j + 1) > at(i + 1, j))
      for (const added of after.slice(j, ++j)) edits.push(['added', added])
    if (j < after.length && after[j] === item) {
      edits.push(['same', item])
      j += 1
    } else edits.push(['removed', item])
  }
  for (const added of after.slice(j)) edits.push(['added', added])
  return edits
}

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  /** The words of the line. Those of a changed line are marked as same, added or removed. */
  words: Change<string>[]
  /** Line numbers in the old and in the new text. */
  before: number | null
  after: number | null
}

const splitWords = (line: string): string[] => line.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** A word diff that also spans line breaks. */
export const diffWords = (before: string, after: string): Change<string>[] =>
  diff(splitWords(before), splitWords(after))

/** A line diff. Where as many lines were added as removed, the lines are compared word by word. */
export function diffLines(before: string, after: string): DiffLine[] {
  const lines: DiffLine[] = []
  let oldNumber = 0
  let newNumber = 0
  const changes = diff(before.split('\n'), after.split('\n'))
  for (const [n, { kind, items }] of changes.entries()) {
    const next = changes[n + 1]
    const last = changes[n - 1]
    const partner =
      kind === 'removed' && next?.kind === 'added'
        ? next
        : kind === 'added' && last?.kind === 'removed'
          ? last
          : null
    for (const [at, line] of items.entries()) {
      const other = partner?.items.length === items.length ? partner.items[at] : undefined
      const between =
        other === undefined
          ? [{ kind: 'same' as const, items: [line] }]
          : kind === 'removed'
            ? diff(splitWords(line), splitWords(other))
            : diff(splitWords(other), splitWords(line))
      if (kind !== 'added') oldNumber += 1
      if (kind !== 'removed') newNumber += 1
      lines.push({
        kind,
        words: between.filter((word) => word.kind === 'same' || word.kind === kind),
        before: kind === 'added' ? null : oldNumber,
        after: kind === 'removed' ? null : newNumber,
      })
    }
  }
  return lines
}
