// Writes the types of the Python SDK: a TypedDict for each object of the API, named as in the API reference.

const header = `# Generated from openapi.json by \`npm run openapi\`. Do not edit.
"""The objects of the API. Each is a dictionary with the members that the API reference describes."""

import sys
from typing import Any, Dict, List, Literal, Optional, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict

`

/** @param {Record<string, any>} schemas */
export function writeTypes(schemas) {
  const writer = new TypeWriter(schemas)
  for (const [name, schema] of Object.entries(schemas)) writer.declare(name, schema)
  const names = [...writer.declarations.keys()].sort().map((name) => `    '${name}',\n`)
  return `${header}__all__ = [\n${names.join('')}]\n${[...writer.declarations.values()].join('')}`
}

class TypeWriter {
  /** @type {Map<string, string>} */
  declarations = new Map()
  #schemas

  /** @param {Record<string, any>} schemas */
  constructor(schemas) {
    this.#schemas = schemas
  }

  /** @param {string} name @param {any} schema */
  declare(name, schema) {
    if (this.declarations.has(name)) throw new Error(`Two types are named ${name}`)
    this.declarations.set(name, '')
    const isObject = schema.properties && Object.keys(schema.properties).length > 0
    const text = isObject ? this.#object(name, schema) : `\n${name} = ${this.typeOf(schema, name)}\n`
    this.declarations.set(name, text)
  }

  /** @param {string} name @param {any} schema */
  #object(name, { properties, required = [], description }) {
    const members = Object.entries(properties).map(([member, schema]) => {
      const type = this.typeOf(schema, `${name}${capitalize(member)}`)
      return {
        member,
        type: required.includes(member) ? type : `NotRequired[${type}]`,
        description: schema.description,
      }
    })
    // A member such as \`from\` cannot be declared in a class.
    if (members.some(({ member }) => !isPythonName(member)))
      return `\n${name} = TypedDict('${name}', {\n${members.map(({ member, type }) => `    '${member}': ${type},\n`).join('')}})\n`
    const lines = members.map(
      (each) =>
        `    ${each.member}: ${each.type}\n${each.description ? `    ${writeDoc(each.description, 4)}\n` : ''}`,
    )
    return `\n\nclass ${name}(TypedDict):\n${description ? `    ${writeDoc(description, 4)}\n\n` : ''}${lines.join('')}`
  }

  /** @param {any} schema @param {string} name of the type, if it needs one @returns {string} */
  typeOf(schema, name) {
    if (schema.$ref) return `'${schema.$ref.split('/').at(-1)}'`
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
    if (schema.anyOf) return this.#union(schema.anyOf, name)
    if (schema.type === 'array') return `List[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`
    if (schema.type === 'object') return this.#dictionary(schema, name)
    const plain = { integer: 'int', number: 'float', string: 'str', boolean: 'bool', null: 'None' }
    return plain[/** @type {keyof typeof plain} */ (schema.type)] ?? 'Any'
  }

  /** @param {any[]} schemas @param {string} name */
  #union(schemas, name) {
    const others = schemas.filter(({ type }) => type !== 'null')
    const types = others.map((each, i) => this.typeOf(each, others.length > 1 ? `${name}${i + 1}` : name))
    const distinct = [...new Set(types)]
    const union = distinct.length > 1 ? `Union[${distinct.join(', ')}]` : (distinct[0] ?? 'None')
    return others.length < schemas.length ? `Optional[${union}]` : union
  }

  /** @param {any} schema @param {string} name */
  #dictionary(schema, name) {
    if (Object.keys(schema.properties ?? {}).length > 0) {
      // A type of the API may have the name that a nested one would get.
      const free = this.#schemas[name] ? `${name}Details` : name
      this.declare(free, schema)
      return `'${free}'`
    }
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
    return `Dict[str, ${this.typeOf(values, `${name}Value`)}]`
  }
}

/** @param {string} text @param {number} indent */
export function writeDoc(text, indent) {
  const lines = text.trim().replaceAll('\\', '\\\\').replaceAll('"""', "'''").split('\n')
  const last = lines.length > 1 || lines[0]?.endsWith('"') ? `\n${' '.repeat(indent)}` : ''
  return `"""${lines.map((line, i) => (line && i > 0 ? ' '.repeat(indent) + line : line)).join('\n')}${last}"""`
}

const keywords =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  )

/** @param {string} name */
export const isPythonName = (name) => /^[A-Za-z_]\w*$/.test(name) && !keywords.includes(name)

/** @param {string} name */
const capitalize = (name) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase())

/** @param {unknown} value */
const literal = (value) =>
  value === null
    ? 'None'
    : typeof value === 'boolean'
      ? value
        ? 'True'
        : 'False'
      : typeof value === 'string'
        ? `'${value.replaceAll("'", "\\'")}'`
        : String(value)
