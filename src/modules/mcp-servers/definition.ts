import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isObject, type JsonObject } from '../../json/index.js'

// Far above what servers have: those with the most tools list some hundred, in some hundred kilobytes.
const maxTools = 1_000
const maxDefinitionChars = 256 * 1024
const maxListingChars = 4 * 1024 * 1024
const maxDepth = 64

/** What the protocol recommends, and the slash that some servers use. No `*`: a list of allowed tools has patterns. */
const toolName = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$/

/** A definition as it is kept: its canonical text, and the hash of that. */
export interface SeenTool {
  name: string
  hash: string
  text: string
  /** Why nobody may call it, whatever was approved. */
  fault: string | null
}

export interface ReadListing {
  tools: ReadonlyMap<string, SeenTool>
  /** What of the listing was not kept, in words; null for nothing. */
  leftOut: string | null
}

/**
 * What of a listing can be kept. A server that lists too much, or what has no name to keep it by, must not be able to fill the database
 * or to hide what it does list.
 */
export function readListing(listed: readonly JsonObject[]): ReadListing | { refusal: string } {
  if (listed.length > maxTools)
    return { refusal: `It lists ${listed.length} tools; at most ${maxTools} can be kept` }
  const tools = new Map<string, SeenTool>()
  const leftOut = { names: 0, sizes: 0 }
  let chars = 0
  for (const definition of listed) {
    const { name } = definition
    if (typeof name !== 'string' || !toolName.test(name)) {
      leftOut.names++
      continue
    }
    const text = writeDefinition(definition)
    if (text === null) {
      leftOut.sizes++
      continue
    }
    chars += text.length
    if (chars > maxListingChars)
      return { refusal: `Its tools are described by more than ${maxListingChars} characters` }
    const fault = tools.has(name) ? 'The server lists two tools of this name' : faultOf(definition)
    // Of two, neither is what was approved: a caller could not know which one answers.
    tools.set(name, { ...(tools.get(name) ?? { name, hash: hashOf(text), text }), fault })
  }
  return { tools, leftOut: describeLeftOut(leftOut) }
}

function describeLeftOut({ names, sizes }: { names: number; sizes: number }): string | null {
  const parts = [
    names > 0 &&
      `${names} whose names are not 1 to 128 of A-Z, a-z, 0-9, underscore, hyphen, dot and slash, beginning with a letter, digit or underscore`,
    sizes > 0 &&
      `${sizes} with more than ${maxDefinitionChars} characters, or nested deeper than ${maxDepth} levels`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : `Tools that are left out: ${parts.join('; ')}`
}

export const hashOf = (text: string): string => hash('sha256', text, 'hex')

/** The whole definition less `_meta`, as canonical JSON (RFC 8785); null for one that is too large to be kept. */
export function writeDefinition({ _meta, ...definition }: JsonObject): string | null {
  const room = { chars: maxDefinitionChars }
  const text = write(definition, 0, room)
  return text === null || text.length > maxDefinitionChars ? null : text
}

/**
 * Unlike `canonicalize` of the record it takes all that JSON can say: JSON Schemas have fractions and nulls, and a lone surrogate is
 * written as an escape.
 */
function write(value: unknown, depth: number, room: { chars: number }): string | null {
  // The comma or colon after it, at least: so that a million empty arrays count.
  room.chars -= 2
  if (depth > maxDepth || room.chars < 0) return null
  if (Array.isArray(value)) {
    const items: string[] = []
    for (const item of value) {
      const text = write(item, depth + 1, room)
      if (text === null) return null
      items.push(text)
    }
    return `[${items.join(',')}]`
  }
  if (isObject(value)) {
    const members: string[] = []
    for (const name of Object.keys(value).sort()) {
      const text = write(value[name], depth + 1, room)
      if (text === null) return null
      const written = JSON.stringify(name)
      room.chars -= written.length
      members.push(`${written}:${text}`)
    }
    return `{${members.join(',')}}`
  }
  const text = JSON.stringify(value) ?? 'null'
  room.chars -= text.length
  return text
}

const optional = {
  text: Type.Optional(Type.String()),
  flag: Type.Optional(Type.Boolean()),
}

/** What official clients take. They refuse a whole list for one tool that is otherwise. */
const Definition = Compile(
  Type.Object({
    title: optional.text,
    description: optional.text,
    inputSchema: Type.Object({
      type: Type.Literal('object'),
      properties: Type.Optional(Type.Object({})),
      required: Type.Optional(Type.Array(Type.String())),
    }),
    outputSchema: Type.Optional(Type.Object({ $schema: optional.text })),
    annotations: Type.Optional(
      Type.Object({
        title: optional.text,
        readOnlyHint: optional.flag,
        destructiveHint: optional.flag,
        idempotentHint: optional.flag,
        openWorldHint: optional.flag,
      }),
    ),
    execution: Type.Optional(
      Type.Object({ taskSupport: Type.Optional(Type.Enum(['required', 'optional', 'forbidden'])) }),
    ),
    icons: Type.Optional(
      Type.Array(
        Type.Object({
          src: Type.String(),
          mimeType: optional.text,
          sizes: Type.Optional(Type.Array(Type.String())),
          theme: Type.Optional(Type.Enum(['light', 'dark'])),
        }),
      ),
    ),
  }),
)

function faultOf(definition: JsonObject): string | null {
  if (Definition.Check(definition)) return null
  const [first] = Definition.Errors(definition)
  const place = first?.instancePath.slice(1).replaceAll('/', '.')
  return `Its definition is not what the protocol says${place ? `, at ${place.slice(0, 100)}` : ''}: clients refuse lists with it`
}
