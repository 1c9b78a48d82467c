// Reads the operations that both SDKs offer from the OpenAPI document.

// Model calls are made with the vendors' own client libraries, and MCP with an MCP client.
const excludedTags = new Set(['Gateway', 'MCP'])

/**
 * What a method returns: nothing, a JSON value, the items of all pages, a text, a stream of bytes, or a stream of server-sent events.
 * @typedef {'nothing' | 'json' | 'pages' | 'text' | 'bytes' | 'events'} Returns
 */

/** @param {any} document */
export function readOperations(document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isOffered(operation))
      .map(([method, operation]) => readOperation(document, path, method.toUpperCase(), operation)),
  )
}

/** @param {any} operation */
function isOffered({ tags, responses }) {
  // A redirect is for a browser.
  return !excludedTags.has(tags[0]) && Object.keys(responses).some((status) => status.startsWith('2'))
}

/** @param {any} document @param {string} path @param {string} method @param {any} operation */
function readOperation(document, path, method, operation) {
  const { operationId: id, summary, description = '', parameters = [], requestBody, responses } = operation
  const [answer] =
    Object.entries(responses)
      .find(([status]) => status.startsWith('2'))
      ?.slice(1) ?? []
  const { returns, schema } = readAnswer(document, answer.content ?? {}, parameters)
  const omitted = omittedFromQuery(returns, schema)
  const inQuery = parameters.filter((/** @type {any} */ each) => each.in === 'query')
  const query = inQuery.filter((/** @type {any} */ { name }) => !omitted.includes(name))
  const body = requestBody?.content['application/json'].schema ?? null
  if (body && query.length > 0) throw new Error(`${id} has a query and a body, and its method room for one`)
  return {
    id,
    method,
    path,
    summary,
    description,
    returns,
    schema,
    query,
    omittedQuery: inQuery.filter((/** @type {any} */ each) => !query.includes(each)),
    body,
    isBodyRequired: requestBody?.required ?? false,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
      parameters.find((/** @type {any} */ each) => each.in === 'path' && each.name === name),
    ),
    hasIdempotencyKey: parameters.some((/** @type {any} */ { name }) => name === 'idempotency-key'),
  }
}

/** @param {Returns} returns @param {any} schema @returns {string[]} */
function omittedFromQuery(returns, schema) {
  // The iterator of the pages fills in the cursor.
  if (returns === 'pages') return ['cursor']
  // A list without a cursor in its answer is returned whole. A method returns JSON, whatever other formats there are.
  if (returns === 'json') return schema.type === 'array' ? ['cursor', 'limit'] : ['format']
  return []
}

/** @param {any} document @param {any} content @param {any[]} parameters @returns {{ returns: Returns, schema: any }} */
function readAnswer(document, content, parameters) {
  if (content['application/x-ndjson']) return { returns: 'bytes', schema: null }
  if (content['text/event-stream']) return { returns: 'events', schema: content['text/event-stream'].schema }
  if (content['text/plain']) return { returns: 'text', schema: null }
  const schema = content['application/json']?.schema
  if (!schema) return { returns: 'nothing', schema: null }
  const page = document.components.schemas[schema.$ref?.split('/').at(-1)]
  return page?.properties?.nextCursor && parameters.some(({ name }) => name === 'cursor')
    ? { returns: 'pages', schema: page.properties.data.items }
    : { returns: 'json', schema }
}
