import { JsonStrings } from './json-strings.js'

/**
 * Whether a name stands twice in one object of a JSON text that is known to be valid. Its readers take one of the two, and not
 * all of them the same.
 */
export function hasRepeatedMember(json: string): boolean {
  const strings = new JsonStrings(json)
  // By depth: of the objects that are open.
  const open: { level: object; names: Set<string> }[] = []
  while (strings.next()) {
    if (strings.kind !== 'name') continue
    const { level, path } = strings
    const name = level.name.text
    const known = open[path.length]
    if (known?.level !== level) open[path.length] = { level, names: new Set([name]) }
    else if (known.names.has(name)) return true
    else known.names.add(name)
  }
  return false
}
