const plainName = /^[a-z0-9_]*$/

/** Names that are folded already. All bodies have the same few dozen, and looking one up takes a fifth of the time of reading it. */
// Bounded: 1,000 names; more are read each time.
const foldedNames = new Set<string>()
const maxFoldedNames = 1_000

/**
 * Returns a name in lower case. Many servers, such as all that parse JSON in Go, treat names as equal when they
 * differ only in case. The name is converted to upper case first, because some letters outside ASCII have an ASCII
 * letter as their other case.
 */
export function foldName(name: string): string {
  if (foldedNames.has(name)) return name
  if (!plainName.test(name)) return name.toUpperCase().toLowerCase()
  if (foldedNames.size < maxFoldedNames) foldedNames.add(name)
  return name
}
