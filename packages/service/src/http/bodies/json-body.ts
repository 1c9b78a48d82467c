import type { JsonBounds } from '@tallystick/record/json'
import { type ErrorDetail, invalidRequest } from '../../shared/errors.js'
import { readJson } from '../../shared/read-json.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'

/**
 * Far above what any endpoint accepts: nothing nests deeper than ten levels, and the largest body is a policy with
 * 10,000 words.
 */
const bounds: JsonBounds = {
  depth: 64,
  containers: 20_000,
  objectMembers: 10_000,
  members: 50_000,
  values: 100_000,
}

/**
 * Parses a body. A member that occurs twice is refused, at any depth and in any spelling: a reviewer of the request
 * reads one of the two, and the service might act on the other. Bytes that are not UTF-8 are also refused, because
 * a decoder would replace them.
 */
export async function parseJson(raw: Buffer, yieldToEventLoop: YieldToEventLoop): Promise<unknown> {
  return (await readJson(raw, bounds, yieldToEventLoop)).value
}

/**
 * Refuses what no schema can express and no endpoint accepts. PostgreSQL cannot store U+0000 and UTF-8 cannot
 * encode half a surrogate pair: such text is refused here instead of failing, or changing, when it is stored.
 */
export function refuseUnusableInput(value: unknown): void {
  const fault = findFault(value, [])
  if (fault) throw invalidRequest(fault.path ? `${fault.path}: ${fault.message}` : fault.message, [fault])
}

function findFault(value: unknown, path: string[]): ErrorDetail | null {
  if (typeof value === 'string') return isStorable(value) ? null : at(path, unstorable)
  if (value === null || typeof value !== 'object') return null
  for (const [name, item] of Object.entries(value)) {
    if (!isStorable(name)) return at(path, `has a field whose name ${unstorable}`)
    // Code that copies fields by assignment would replace the copy's prototype.
    if (name === '__proto__') return at([...path, name], 'is not allowed as the name of a field')
    const fault = findFault(item, [...path, name])
    if (fault) return fault
  }
  return null
}

const unstorable = 'contains U+0000 or half of a surrogate pair, which cannot be stored'
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
const at = (path: string[], message: string): ErrorDetail => ({ path: path.join('.'), message })
