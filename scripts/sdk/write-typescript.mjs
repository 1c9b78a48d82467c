// Writes the operations of the TypeScript SDK: a table for the client, and the interface of its methods.

const header = `// Generated from openapi.json by \`npm run openapi\`. Do not edit.

import type { EventStream } from '../client/events.js'
import type { Pages } from '../client/pages.js'
import type { RequestOptions } from '../client/request.js'
import type { components, operations } from './api.js'

type Schemas = components['schemas']
type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>
`

/** @param {ReturnType<import('./operations.mjs').readOperations>} operations */
export function writeTypeScript(operations) {
  const rows = operations.map(({ id, method, path, returns, body, query, hasIdempotencyKey }) => {
    const input = body ? ", input: 'body'" : query.length > 0 ? ", input: 'query'" : ''
    const repeatable = hasIdempotencyKey ? ', hasIdempotencyKey: true' : ''
    return `  ${id}: { method: '${method}', path: '${path}', returns: '${returns}'${input}${repeatable} },\n`
  })
  return `${header}
/** The methods of the client: one for each operation of the API, named by its \`operationId\`. */
export interface Operations {
${operations.map(writeMethod).join('\n')}}

export const operationTable = {
${rows.join('')}} as const
`
}

/** @param {ReturnType<import('./operations.mjs').readOperations>[number]} operation */
function writeMethod(operation) {
  const { id, summary, description, pathParameters, query, body, isBodyRequired, returns, schema } = operation
  const path = pathParameters.map(({ name, schema }) => `${name}: ${typeOf(schema)}`)
  const input = body
    ? [`body${isBodyRequired ? '' : '?'}: ${typeOf(body)}`]
    : query.length > 0
      ? [`query${query.some(({ required }) => required) ? '' : '?'}: ${writeQuery(operation)}`]
      : []
  const parameters = [...path, ...input, 'options?: RequestOptions']
  const lines = [`${summary}.`, ...(description ? ['', ...description.split('\n')] : [])]
  const doc = lines.map((line) => `   *${line ? ` ${line.replaceAll('*/', '*\\/')}` : ''}\n`).join('')
  return `  /**\n${doc}   */\n  ${id}(${parameters.join(', ')}): ${writeResult(returns, schema)}\n`
}

/** @param {ReturnType<import('./operations.mjs').readOperations>[number]} operation */
const writeQuery = ({ id, omittedQuery }) =>
  omittedQuery.length === 0
    ? `Query<'${id}'>`
    : `Omit<Query<'${id}'>, ${omittedQuery.map(({ name }) => `'${name}'`).join(' | ')}>`

/** @param {import('./operations.mjs').Returns} returns @param {any} schema */
function writeResult(returns, schema) {
  if (returns === 'pages') return `Pages<${typeOf(schema)}>`
  if (returns === 'events') return `EventStream<${typeOf(schema)}>`
  const types = { nothing: 'void', text: 'string', bytes: 'ReadableStream<Uint8Array>' }
  return `Promise<${returns === 'json' ? typeOf(schema) : types[returns]}>`
}

/** @param {any} schema @returns {string} */
function typeOf(schema) {
  if (schema.$ref) return `Schemas['${schema.$ref.split('/').at(-1)}']`
  if (schema.type === 'array') return `${typeOf(schema.items)}[]`
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'string') return 'string'
  if (schema.type === 'object' && schema.additionalProperties === true) return 'Record<string, unknown>'
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ value) => `'${value}'`).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  throw new Error(`No type for ${JSON.stringify(schema)}`)
}
