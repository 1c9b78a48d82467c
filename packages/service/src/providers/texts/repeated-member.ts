import { JsonStrings } from './json-strings.js'

/**
 * Returns whether a name occurs twice in one object of a valid JSON text. Each reader uses one of the two, and
 * readers differ in which.
 */
export function hasRepeatedMember(json: string): boolean {
  const strings = new JsonStrings(json)
  // The open objects, by depth.
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
