import { isObject, type JsonObject } from '@tallystick/record/json'
import { showHidden } from '../../../shared/hidden-characters.js'

/**
 * A difference between two definitions at one path. Both sides are JSON, with hidden characters escaped; null when
 * absent.
 */
export interface Difference {
  path: string
  before: string | null
  after: string | null
}

const maxDifferences = 200

/** Returns the differences by JSON path, in the order of the names. */
export function diffDefinitions(before: JsonObject, after: JsonObject): Difference[] {
  const found: Difference[] = []
  compare('', before, after, found)
  if (found.length <= maxDifferences) return found
  const rest = found.length - maxDifferences
  return [
    ...found.slice(0, maxDifferences),
    { path: '…', before: null, after: `${rest} more differences: compare the definitions` },
  ]
}

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    for (const name of names) compare(stepInto(path, name), own(before, name), own(after, name), found)
  } else if (isListOfContainers(before) && isListOfContainers(after)) {
    const length = Math.max(before.length, after.length)
    for (let index = 0; index < length; index++)
      compare(`${path}[${index}]`, before[index], after[index], found)
  } else {
    const [was, is] = [show(before), show(after)]
    if (was !== is) found.push({ path, before: was, after: is })
  }
}

/**
 * Lists of plain values, such as `required`, are compared as a whole: by index, one insertion at the front would
 * change all of them.
 */
const isListOfContainers = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)

const own = (value: JsonObject, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

const show = (value: unknown): string | null =>
  value === undefined ? null : showHidden(JSON.stringify(value))

/** `inputSchema.properties.path`, and `["a b"]` for a name that is not a simple identifier. */
export function stepInto(path: string, name: string): string {
  if (!/^[A-Za-z0-9_$-]+$/.test(name)) return `${path}[${showHidden(JSON.stringify(name))}]`
  return path === '' ? name : `${path}.${name}`
}
