import { hash } from 'node:crypto'
import { isObject, type JsonObject } from '@tallystick/record/json'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

// Far above the largest known servers, which list a few hundred tools in a few hundred kilobytes.
const maxTools = 1_000
const maxDefinitionChars = 256 * 1024
const maxListingChars = 4 * 1024 * 1024
const maxDepth = 64

/**
 * The protocol's recommendation, plus the slash that some servers use. No `*`, because lists of allowed tools have
 * patterns.
 */
const toolName = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$/

/** A definition as it is stored: its canonical text, and the hash of that. */
export interface SeenTool {
  name: string
  hash: string
  text: string
  /** Why it cannot be called, whatever was approved. */
  fault: string | null
}

export interface ReadListing {
  tools: ReadonlyMap<string, SeenTool>
  /** A message about what the listing contained and is not stored; null when everything is. */
  leftOut: string | null
}

/**
 * Returns the part of a listing that can be stored. A server that lists too much, or tools without usable names,
 * must not fill the database or hide its other tools.
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
    // Neither of two tools with one name is what was approved: a caller could not know which one answers.
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

/** Returns the definition without `_meta`, as canonical JSON (RFC 8785); null for one that is too large. */
export function writeDefinition({ _meta, ...definition }: JsonObject): string | null {
  const room = { chars: maxDefinitionChars }
  const text = write(definition, 0, room)
  return text === null || text.length > maxDefinitionChars ? null : text
}

/**
 * Unlike the record's `canonicalize`, this accepts all JSON: JSON Schemas contain fractions and nulls, and a lone
 * surrogate is written as an escape.
 */
function write(value: unknown, depth: number, room: { chars: number }): string | null {
  // The comma or colon that follows it, so that a million empty arrays count too.
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

/** What official clients accept. They refuse a whole list for one tool that differs. */
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
  const path = first?.instancePath.slice(1).replaceAll('/', '.')
  return `Its definition is not what the protocol says${path ? `, at ${path.slice(0, 100)}` : ''}: clients refuse lists with it`
}
