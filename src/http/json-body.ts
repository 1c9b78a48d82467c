import { isUtf8 } from 'node:buffer'
import { type ErrorDetail, invalidRequest } from '../errors.js'

// Nothing of ours nests deeper than ten levels; walking a hundred thousand would end the stack.
const deepestLevel = 64

/** Parses a body. Bytes that are not UTF-8 are refused: a decoder would quietly put other text in their place. */
export function parseJson(raw: Buffer): unknown {
  if (!isUtf8(raw)) throw invalidRequest('Malformed JSON: the body is not UTF-8')
  try {
    return JSON.parse(raw.toString())
  } catch (error) {
    throw invalidRequest(`Malformed JSON: ${error instanceof Error ? error.message : 'cannot be read'}`)
  }
}

/**
 * What no schema can say and no endpoint can take. PostgreSQL cannot store U+0000 and UTF-8 cannot hold half a
 * surrogate pair: such text is refused at the door instead of failing, or changing, on its way to the disk.
 */
export function refuseUnusableInput(value: unknown): void {
  const fault = findFault(value, [])
  if (fault) throw invalidRequest(fault.path ? `${fault.path}: ${fault.message}` : fault.message, [fault])
}

function findFault(value: unknown, path: string[]): ErrorDetail | null {
  if (typeof value === 'string') return isStorable(value) ? null : at(path, unstorable)
  if (value === null || typeof value !== 'object') return null
  if (path.length === deepestLevel)
    return at(path.slice(0, 3), `is nested more than ${deepestLevel} levels deep`)
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
