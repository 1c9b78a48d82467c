import { JsonStrings } from './json-strings.js'

/**
 * Whether a name stands twice in one object of a JSON text that is known to be valid. Its readers take one of the two, and not
 * all of them the same.
 */
export function hasRepeatedMember(json: string): boolean {
  const strings = new JsonStrings(json)
  const names = new Map<object, Set<string>>()
  while (strings.next()) {
    if (strings.kind !== 'name') continue
    const { level } = strings
    const name = level.name.text
    const known = names.get(level)
    if (known?.has(name)) return true
    if (known) known.add(name)
    else names.set(level, new Set([name]))
  }
  return false
}
