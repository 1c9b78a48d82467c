/** Returns `; did you mean "x"?` when one of the names is similar. */
export function suggest(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .filter(
      ({ each, distance }) => distance <= Math.max(1, Math.floor(Math.max(name.length, each.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance)
  return nearest === undefined ? '' : `; did you mean "${nearest.each}"?`
}

/** The number of letters to insert, delete or replace. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
