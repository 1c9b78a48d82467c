export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A parameter or a part of one. */
export interface OutlineRow {
  /** For example `files[].path`; empty for the schema itself. */
  name: string
  depth: number
  type: string
  isRequired: boolean
  description: string | null
  rest: readonly Member[]
}

export interface Member {
  name: string
  /** JSON, or plain text for a string. */
  value: string
}

/** The content of a definition in reading order. Members without a field here are in `rest`. */
export interface Outline {
  title: string | null
  description: string | null
  input: readonly OutlineRow[]
  output: readonly OutlineRow[]
  annotations: readonly Member[]
  rest: readonly Member[]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const stringOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
function membersOf(object: Json, without: readonly string[]): Member[] {
  const taken = new Set(without)
  return Object.entries(object)
    .filter(([name]) => !taken.has(name))
    .map(([name, value]) => ({ name, value: textOf(value) }))
}

/** Models read a definition wherever its text is, so no member is left out. */
export function outlineOf(definition: Json): Outline {
  const { title, description, inputSchema, outputSchema, annotations } = definition
  const taken = [
    'name',
    ...(typeof title === 'string' ? ['title'] : []),
    ...(typeof description === 'string' ? ['description'] : []),
    ...(isObject(inputSchema) ? ['inputSchema'] : []),
    ...(isObject(outputSchema) ? ['outputSchema'] : []),
    ...(isObject(annotations) ? ['annotations'] : []),
  ]
  return {
    title: stringOrNull(title),
    description: stringOrNull(description),
    input: isObject(inputSchema) ? rowsOf(inputSchema) : [],
    output: isObject(outputSchema) ? rowsOf(outputSchema) : [],
    annotations: isObject(annotations) ? membersOf(annotations, []) : [],
    rest: membersOf(definition, taken),
  }
}

/** Deeper schemas are shown as JSON. */
const maxDepth = 8

function rowsOf(schema: Json): OutlineRow[] {
  const rows: OutlineRow[] = []
  describeSchema(schema, { name: '', depth: -1, isRequired: false }, rows)
  const [whole, ...parts] = rows
  // That the parameters of a tool form an object needs no mention.
  const isPlain = whole?.type === 'object' && whole.description === null && whole.rest.length === 0
  return isPlain || whole === undefined ? parts : [...parts, whole]
}

type SchemaPosition = Pick<OutlineRow, 'name' | 'depth' | 'isRequired'>

function describeSchema(schema: Json, place: SchemaPosition, rows: OutlineRow[]): void {
  const isDeep = place.depth >= maxDepth
  const inner = isDeep ? [] : partsOf(schema, place)
  const required = requiredOf(schema)
  const taken = [
    ...inner.map(({ keyword }) => keyword),
    ...(isEmpty(schema.properties) ? ['properties'] : []),
    ...(typeOf(schema) === '' ? [] : ['type']),
    ...(typeof schema.description === 'string' ? ['description'] : []),
    // Required members are marked individually, unless `required` names unknown ones.
    ...(required !== null && !isDeep && isSaidByRows(required, schema) ? ['required'] : []),
  ]
  rows.push({
    ...place,
    type: typeOf(schema) || (isObject(schema.properties) ? 'object' : 'any'),
    description: stringOrNull(schema.description),
    rest: membersOf(schema, taken),
  })
  for (const { part, ...at } of inner)
    if (isObject(part)) describeSchema(part, at, rows)
    else rows.push({ ...at, type: textOf(part), description: null, rest: [] })
}

function typeOf({ type }: Json): string {
  if (typeof type === 'string') return type
  return Array.isArray(type) && type.length > 0 && type.every((each) => typeof each === 'string')
    ? type.join(' or ')
    : ''
}

/** An empty schema means that there are no parameters. */
const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0

const requiredOf = ({ required }: Json): string[] | null =>
  Array.isArray(required) && required.every((each) => typeof each === 'string') ? required : null

const isSaidByRows = (required: readonly string[], { properties }: Json) =>
  new Set(required).size === required.length &&
  required.every((name) => isObject(properties) && Object.hasOwn(properties, name))

type Part = SchemaPosition & { keyword: string; part: unknown }

/** The schemas nested in a schema. */
function partsOf(schema: Json, { name, depth }: SchemaPosition): Part[] {
  const required = new Set(requiredOf(schema))
  const at = (keyword: string, part: unknown, partName: string, isRequired = false): Part => ({
    keyword,
    part,
    name: partName,
    depth: depth + 1,
    isRequired,
  })
  const parts: Part[] = []
  const { properties, items, additionalProperties } = schema
  if (isObject(properties))
    for (const [each, part] of Object.entries(properties))
      parts.push(at('properties', part, name === '' ? each : `${name}.${each}`, required.has(each)))
  if (isObject(items)) parts.push(at('items', items, `${name}[]`))
  if (isObject(additionalProperties))
    parts.push(at('additionalProperties', additionalProperties, name === '' ? '*' : `${name}.*`))
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    const choices = schema[keyword]
    if (!Array.isArray(choices) || choices.length === 0) continue
    for (const [n, part] of choices.entries())
      parts.push(at(keyword, part, `${name} ${choiceWords[keyword]} ${n + 1}`.trim()))
  }
  for (const keyword of ['$defs', 'definitions']) {
    const defined = schema[keyword]
    if (!isObject(defined)) continue
    for (const [each, part] of Object.entries(defined)) parts.push(at(keyword, part, `#/${keyword}/${each}`))
  }
  return parts
}

const choiceWords = { anyOf: 'either', oneOf: 'one of', allOf: 'also' } as const
