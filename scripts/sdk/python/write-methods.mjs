// Writes the methods of the Python clients: one class of them for each way to call the service.
import { isPythonName, writeDoc } from './write-types.mjs'

/** @typedef {ReturnType<import('../operations.mjs').readOperations>[number]} Operation */

/** @param {readonly Operation[]} operations @param {boolean} isAsync */
export function writeMethods(operations, isAsync) {
  const prefix = isAsync ? 'Async' : ''
  return `# Generated from openapi.json by \`npm run openapi\`. Do not edit.
from typing import Any, Dict, ${isAsync ? 'AsyncIterator' : 'Iterator'}, List, Literal, Optional, Union

from . import types
from ._request import fill, key_or_new
from ._${isAsync ? 'async' : 'sync'}_transport import ${prefix}Transport
from ._${isAsync ? 'async' : 'sync'}_streams import ${prefix}ByteStream, ${prefix}Pages


class ${prefix}Methods(${prefix}Transport):
    """The methods of the client: one for each operation of the API reference."""
${operations.map((each) => writeMethod(each, isAsync)).join('')}`
}

/** @param {Operation} operation @param {boolean} isAsync */
function writeMethod(operation, isAsync) {
  const { id, method, path, summary, description, returns, query, body, hasIdempotencyKey } = operation
  const isAwaited = isAsync && returns !== 'pages' && returns !== 'events'
  const values = operation.pathParameters.map(({ name }) => toPythonName(name))
  const template = path.replaceAll(/\{\w+\}/g, '{}')
  const sent = [
    `'${method}'`,
    values.length > 0 ? `fill('${template}', ${values.join(', ')})` : `'${path}'`,
    ...(query.length > 0
      ? [`query={${query.map(({ name }) => `'${name}': ${toPythonName(name)}`).join(', ')}}`]
      : []),
    ...(body ? ['body=body'] : []),
    ...(hasIdempotencyKey ? ['idempotency_key=key_or_new(idempotency_key)'] : []),
  ]
  const doc = [`${summary}.`, ...(description ? ['', ...description.split('\n')] : [])].join('\n')
  const call = `${isAwaited ? 'await ' : ''}self._${returns}(${sent.join(', ')})`
  return `
    ${isAwaited ? 'async ' : ''}def ${toPythonName(id)}(${writeParameters(operation)}) -> ${writeResult(operation, isAsync)}:
        ${writeDoc(doc, 8)}
        ${returns === 'nothing' ? call : `return ${call}${returns === 'json' ? '  # type: ignore[no-any-return]' : ''}`}
`
}

/** @param {Operation} operation */
function writeParameters({ pathParameters, query, body, isBodyRequired, hasIdempotencyKey }) {
  const required = query.filter((/** @type {any} */ each) => each.required)
  const optional = query.filter((/** @type {any} */ each) => !each.required)
  const named = [
    ...required.map((/** @type {any} */ { name, schema }) => `${toPythonName(name)}: ${typeOf(schema)}`),
    ...optional.map(
      (/** @type {any} */ { name, schema }) => `${toPythonName(name)}: Optional[${typeOf(schema)}] = None`,
    ),
    ...(hasIdempotencyKey ? ['idempotency_key: Optional[str] = None'] : []),
  ]
  return [
    'self',
    ...pathParameters.map(({ name, schema }) => `${toPythonName(name)}: ${typeOf(schema)}`),
    ...(body ? [isBodyRequired ? `body: ${typeOf(body)}` : `body: Optional[${typeOf(body)}] = None`] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ].join(', ')
}

/** @param {Operation} operation @param {boolean} isAsync */
function writeResult({ returns, schema }, isAsync) {
  const prefix = isAsync ? 'Async' : ''
  if (returns === 'pages') return `${prefix}Pages[${typeOf(schema)}]`
  if (returns === 'events') return `${prefix}Iterator[${typeOf(schema)}]`
  if (returns === 'json') return typeOf(schema)
  return { nothing: 'None', text: 'str', bytes: `${prefix}ByteStream` }[returns]
}

/** @param {any} schema @returns {string} */
function typeOf(schema) {
  if (schema.$ref) return `types.${schema.$ref.split('/').at(-1)}`
  if (schema.enum)
    return `Literal[${schema.enum.map((/** @type {unknown} */ value) => `'${value}'`).join(', ')}]`
  if (schema.anyOf) {
    const types = [...new Set(schema.anyOf.map(typeOf))]
    return types.length > 1 ? `Union[${types.join(', ')}]` : String(types[0])
  }
  if (schema.type === 'array') return `List[${typeOf(schema.items)}]`
  if (schema.type === 'object') return 'Dict[str, Any]'
  const plain = { integer: 'int', number: 'float', string: 'str', boolean: 'bool' }
  const type = plain[/** @type {keyof typeof plain} */ (schema.type)]
  if (!type) throw new Error(`No type for ${JSON.stringify(schema)}`)
  return type
}

/** \`getMcpServer\` is \`get_mcp_server\`, and \`from\` is \`from_\`. @param {string} name */
function toPythonName(name) {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return isPythonName(snake) ? snake : `${snake}_`
}
