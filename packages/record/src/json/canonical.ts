// RFC 8785 canonical JSON, narrowed to what a receipt may hold: a value that two readers could write
// differently (a float, a null, a lone surrogate) is refused instead of rounded, dropped or replaced.
//
// Measured on an entry of 28 members and 4 checks (1.1 kB), Node 20, against plain JSON.stringify: 1.25 times its time
// when the members are in order already, 2 times when they must be sorted; the npm `canonicalize` takes 5 times.

// Almost every string of an entry is an id or an enum word. For those this is twice as fast as JSON.stringify.
const NEEDS_NO_ESCAPE = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

// Far deeper than any entry. A cycle or a maliciously nested value causes a clear error instead of a stack overflow.
const MAX_DEPTH = 64

/**
 * Accepts plain data only, no class instances. Members that are `undefined` are left out; -0 is written as 0, as
 * RFC 8785 demands.
 */
export function canonicalize(value: unknown): string {
  // JSON.stringify would call a toJSON method that a library has added to the prototypes.
  if (!('toJSON' in Array.prototype) && isInCanonicalOrder(value, 0)) {
    const text = JSON.stringify(value)
    // JSON.stringify escapes a lone surrogate. A backslash before "ud" looks the same; the slow path tells them apart.
    if (!text.includes('\\ud')) return text
  }
  return writeValue(value, 'the value', 0)
}

/** Returns the value of a canonical text. Undefined when the text is not JSON or not the canonical form of its value. */
export function parseCanonical(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return canonicalize(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

// Returns whether JSON.stringify would write the canonical form, apart from lone surrogates: it escapes strings as RFC 8785 requires.
// False when in doubt. True for everything that was parsed from canonical bytes.
function isInCanonicalOrder(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isSafeInteger(value)
    case 'object':
      if (value === null || depth === MAX_DEPTH) return false
      return Array.isArray(value) ? isArrayInOrder(value, depth) : isObjectInOrder(value, depth)
    default:
      // A toJSON method of the object's own ends up here.
      return false
  }
}

function isArrayInOrder(values: readonly unknown[], depth: number): boolean {
  if (!isPlainArray(values)) return false
  for (let index = 0; index < values.length; index++) {
    if (!isInCanonicalOrder(values[index], depth + 1)) return false
  }
  return true
}

function isObjectInOrder(value: object, depth: number): boolean {
  if (!isPlainObject(value)) return false
  let previous = ''
  // Not Object.keys: without its array the check takes two thirds of the time. Inherited members only make it stricter.
  for (const key in value) {
    // Like sort() without arguments, this compares UTF-16 code units: the order of RFC 8785.
    if (key < previous) return false
    previous = key
    const member = value[key]
    if (member !== undefined && !isInCanonicalOrder(member, depth + 1)) return false
  }
  return true
}

function writeValue(value: unknown, name: string, depth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, name)
    case 'number':
      if (!Number.isSafeInteger(value)) throw refusal(name, `${value} is not a safe integer`)
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) throw refusal(name, 'null; leave the member out instead')
      if (depth === MAX_DEPTH) throw refusal(name, `nested deeper than ${MAX_DEPTH} levels`)
      return Array.isArray(value) ? writeArray(value, name, depth) : writeObject(value, name, depth)
    default:
      throw refusal(name, `${typeof value} has no canonical form`)
  }
}

function writeString(value: string, name: string): string {
  if (NEEDS_NO_ESCAPE.test(value)) return `"${value}"`
  if (!value.isWellFormed()) throw refusal(name, 'a string with a lone surrogate')
  return JSON.stringify(value)
}

function writeArray(values: readonly unknown[], name: string, depth: number): string {
  if (!isPlainArray(values)) throw refusal(name, 'not a plain array')
  let text = '['
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ','
    text += writeValue(values[index], name, depth + 1)
  }
  return `${text}]`
}

function writeObject(value: object, name: string, depth: number): string {
  if (!isPlainObject(value)) throw refusal(name, 'not a plain object')
  let text = '{'
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member === undefined) continue
    if (text.length > 1) text += ','
    text += `${writeString(key, name)}:${writeValue(member, key, depth + 1)}`
  }
  return `${text}}`
}

function isPlainArray(values: readonly unknown[]): boolean {
  return Object.getPrototypeOf(values) === Array.prototype
}

export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function refusal(name: string, reason: string): TypeError {
  return new TypeError(`Cannot write canonical JSON: ${name} holds ${reason}`)
}
