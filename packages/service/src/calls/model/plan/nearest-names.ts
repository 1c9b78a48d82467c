const maxSuggestions = 3
// Longer names are not compared, so that a caller cannot make the comparison expensive.
const maxLength = 100

/**
 * Returns up to three candidates that a wrong name may stand for, nearest first: those with the same name at another provider, then those
 * that differ by a few characters. `isSuitable` is asked only for candidates that are near.
 */
export function nearestNames(
  name: string,
  candidates: Iterable<string>,
  isSuitable: (candidate: string) => boolean,
): string[] {
  if (name.length > maxLength) return []
  const asked = name.toLowerCase()
  const near = [...candidates].flatMap((candidate) => {
    const other = candidate.toLowerCase()
    const distance = Math.min(
      distanceWithin(asked, other),
      // The model counts, whatever the provider before it.
      distanceWithin(modelOf(asked), modelOf(other)),
    )
    return distance === Number.POSITIVE_INFINITY
      ? []
      : [{ candidate, distance, whole: Math.abs(asked.length - other.length) }]
  })
  near.sort(
    (a, b) => a.distance - b.distance || a.whole - b.whole || a.candidate.localeCompare(b.candidate, 'en'),
  )
  const names: string[] = []
  for (const { candidate, distance } of near) {
    // A name that only resembles the one that was asked for says nothing beside one that is the same.
    if (names.length === maxSuggestions || (names.length > 0 && distance > (near[0]?.distance ?? 0) + 1))
      break
    if (isSuitable(candidate)) names.push(candidate)
  }
  return names
}

const modelOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** Returns how many characters must be added, removed or replaced; infinity for more than a fifth of the name, at least one. */
function distanceWithin(a: string, b: string): number {
  const most = Math.max(1, Math.floor(a.length / 5))
  if (a === b) return 0
  if (a === '' || b === '' || Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++)
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1),
        ),
      )
    if (Math.min(...current) > most) return Number.POSITIVE_INFINITY
    previous = current
  }
  const distance = previous[b.length] ?? 0
  return distance > most ? Number.POSITIVE_INFINITY : distance
}
