import { type Operations, operationTable } from '../generated/operations.js'
import { readEvents } from './events.js'
import { createPages, type Page } from './pages.js'
import {
  type ClientOptions,
  type QueryValues,
  type RawRequest,
  type RequestOptions,
  send,
} from './request.js'

export interface TallystickClient extends Operations {
  /**
   * Sends a request to any path of the service and returns the answer, for example for usage as CSV. Errors, time limits and repetitions are
   * those of the methods.
   */
  request(method: string, path: string, request?: RawRequest): Promise<Response>
}

interface Operation {
  method: string
  path: string
  returns: 'nothing' | 'json' | 'pages' | 'text' | 'bytes' | 'events'
  input?: 'body' | 'query'
  hasIdempotencyKey?: true
}

/** A client of the management API. Its methods are the operations of the API reference. */
export function createClient(options: ClientOptions): TallystickClient {
  const methods = Object.fromEntries(
    Object.entries<Operation>(operationTable).map(([id, operation]) => [
      id,
      (...given: unknown[]) => call(options, operation, given),
    ]),
  )
  return {
    // The table and the interface of its methods are generated together.
    ...(methods as unknown as Operations),
    request: (method, path, request = {}) =>
      send(options, method, path, request, async (response) => response),
  }
}

function call(client: ClientOptions, operation: Operation, given: readonly unknown[]) {
  const { method, returns } = operation
  const { path, input, options } = readArguments(operation, given)
  const request: RawRequest = { ...options, [operation.input ?? 'query']: input }
  if (operation.hasIdempotencyKey) request.idempotencyKey ??= createIdempotencyKey()
  if (returns === 'pages')
    return createPages<unknown>((cursor) =>
      send(client, method, path, { ...request, query: { ...request.query, cursor } }, readPage),
    )
  if (returns === 'events') return openEvents(client, method, path, request)
  return send(client, method, path, request, readers[returns])
}

/** The arguments of a method are the parameters of its path, its body or its query, and options. */
function readArguments({ path, input }: Operation, given: readonly unknown[]) {
  const rest = [...given]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = rest.shift()
    // An empty value would be another operation: that of the list.
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '')
      throw new TypeError(`${name} must be a text that is not empty, or a number`)
    return encodeURIComponent(value)
  })
  return {
    path: filled,
    input: input && (rest.shift() as QueryValues | undefined),
    options: rest.shift() as RequestOptions | undefined,
  }
}

async function* openEvents(client: ClientOptions, method: string, path: string, request: RawRequest) {
  yield* readEvents(await send(client, method, path, request, readers.bytes))
}

// Answers are as the OpenAPI document says; tests of the service hold it to that.
const readPage = (response: Response) => response.json() as Promise<Page<unknown>>

const readers = {
  nothing: async () => undefined,
  json: (response: Response) => response.json(),
  text: (response: Response) => response.text(),
  bytes: async ({ body }: Response) => body ?? emptyStream(),
} satisfies Record<string, (response: Response) => Promise<unknown>>

const emptyStream = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.close() })

/** `crypto.randomUUID` is missing on pages without HTTPS. */
const createIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
