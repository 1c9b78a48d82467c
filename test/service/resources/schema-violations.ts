/** The parts of a JSON schema that say what is refused. */
export interface Schema {
  $ref?: string
  type?: string
  anyOf?: Schema[]
  enum?: unknown[]
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  minProperties?: number
  maxProperties?: number
}

/** A valid value with one thing wrong with it. */
export interface Violation {
  what: string
  /** Where, as an error's `details` name it. */
  place: string
  value: unknown
}

type Resolve = (schema: Schema) => Schema

/** Follows references into the document's components. */
export const resolveIn =
  (components: Record<string, Schema>): Resolve =>
  (schema) =>
    components[schema.$ref?.split('/').at(-1) ?? ''] ?? schema

/** Every bound passed by one, every required field missing, unknown fields, wrong types and values of no enum. */
export function* violationsOf(
  schema: Schema,
  value: unknown,
  resolve: Resolve,
  place = '',
): Generator<Violation> {
  const { anyOf, ...own } = resolve(schema)
  const nullable = anyOf?.some((branch) => branch.type === 'null') ?? false
  if (!nullable && value !== undefined) yield { what: 'null', place, value: null }
  for (const branch of anyOf ?? [own]) yield* violationsOfType(resolve(branch), value, resolve, place)
}

function* violationsOfType(
  schema: Schema,
  value: unknown,
  resolve: Resolve,
  place: string,
): Generator<Violation> {
  const wrong = (what: string, broken: unknown): Violation => ({ what, place, value: broken })
  if (schema.enum) yield wrong('a value of no enum', 'no such value')
  else if (typeof value === 'string') yield* textViolations(schema, value, wrong)
  else if (typeof value === 'number') yield* numberViolations(schema, wrong)
  else if (typeof value === 'boolean') yield wrong('a wrong type', 'yes')
  else if (Array.isArray(value)) yield* listViolations(schema, value, resolve, place)
  else if (isObject(value)) yield* objectViolations(schema, value, resolve, place)
}

type Wrong = (what: string, broken: unknown) => Violation

function* textViolations(
  { minLength = 0, maxLength, format }: Schema,
  text: string,
  wrong: Wrong,
): Generator<Violation> {
  yield wrong('a wrong type', 5)
  if (minLength > 0) yield wrong('too short', text.slice(0, minLength - 1))
  // What is valid is drawn out, so that a pattern still matches and the length is all that is wrong.
  if (maxLength !== undefined) yield wrong('too long', text.padEnd(maxLength + 1, 'x'))
  if (format === 'date-time') yield wrong('not a moment', 'yesterday')
}

function* numberViolations(
  { type, minimum, maximum, exclusiveMinimum }: Schema,
  wrong: Wrong,
): Generator<Violation> {
  yield wrong('a wrong type', '5')
  if (type === 'integer') yield wrong('not a whole number', (minimum ?? 0) + 0.5)
  if (minimum !== undefined) yield wrong('below the minimum', minimum - (type === 'integer' ? 1 : 0.000001))
  if (exclusiveMinimum !== undefined) yield wrong('at the exclusive minimum', exclusiveMinimum)
  if (maximum !== undefined) yield wrong('above the maximum', maximum + 1)
}

function* listViolations(
  schema: Schema,
  list: unknown[],
  resolve: Resolve,
  place: string,
): Generator<Violation> {
  const { items, minItems = 0, maxItems } = schema
  yield { what: 'a wrong type', place, value: {} }
  if (minItems > 0) yield { what: 'too few items', place, value: list.slice(0, minItems - 1) }
  if (maxItems !== undefined) {
    const value = Array.from({ length: maxItems + 1 }, (_, i) => drawOut(list[0], i))
    yield { what: 'too many items', place, value }
  }
  if (!items || list.length === 0) return
  for (const fault of violationsOf(items, list[0], resolve, join(place, '0'))) {
    yield { ...fault, value: [fault.value, ...list.slice(1)] }
  }
}

/** Items that differ from each other: a list of equal ones may be refused for that alone. */
function drawOut(item: unknown, i: number): unknown {
  return isObject(item)
    ? Object.fromEntries(Object.entries(item).map(([name, text]) => [name, `${text}${i}`]))
    : `x${i}${item}`
}

function* objectViolations(
  schema: Schema,
  value: Record<string, unknown>,
  resolve: Resolve,
  place: string,
): Generator<Violation> {
  const {
    properties = {},
    required = [],
    additionalProperties,
    propertyNames,
    minProperties = 0,
    maxProperties,
  } = schema
  yield { what: 'a wrong type', place, value: [] }
  if (minProperties > 0) yield { what: 'no field at all', place, value: {} }
  for (const name of required) {
    // What has a default is always there in an answer, and may be left out of a request.
    if (properties[name]?.default !== undefined) continue
    const { [name]: _, ...rest } = value
    yield { what: 'a required field is missing', place: join(place, name), value: rest }
  }
  if (additionalProperties === false) {
    yield { what: 'an unknown field', place: join(place, 'unexpected'), value: { ...value, unexpected: 1 } }
  }
  if (maxProperties !== undefined) {
    const names = Array.from({ length: maxProperties + 1 }, (_, i) => [`name${i}`, 'x'])
    yield { what: 'too many fields', place, value: Object.fromEntries(names) }
  }
  if (propertyNames?.maxLength !== undefined) {
    const name = 'x'.repeat(propertyNames.maxLength + 1)
    yield { what: 'a name too long', place: join(place, name), value: { [name]: 'x' } }
  }
  if (propertyNames?.minLength === 1) yield { what: 'an empty name', place: `${place}.`, value: { '': 'x' } }
  for (const [name, field] of Object.entries(value)) {
    // Of an object that may be anything, nothing within is wrong.
    if (properties[name] === undefined && additionalProperties === true) continue
    const inner = properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
    for (const fault of violationsOf(inner, field, resolve, join(place, name))) {
      yield { ...fault, value: { ...value, [name]: fault.value } }
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const join = (place: string, name: string) => (place ? `${place}.${name}` : name)
