import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** As much of the OpenAPI document as an answer is compared with. */
interface Described {
  components?: { responses?: Record<string, DescribedAnswer> }
  paths?: Record<string, Record<string, { responses?: Record<string, DescribedAnswer> }>>
}

interface DescribedAnswer {
  $ref?: string
  headers?: Record<string, unknown>
  content?: Record<string, unknown>
}

/** One kind of answer that a server gave. Each kind is kept once. */
interface SeenAnswer {
  route: string
  method: string
  status: number
  headers: readonly string[]
  contentType: string | null
  /** The service refused the request itself: it did not pass the answer of a provider through. */
  isOwnError: boolean
}

interface Recording {
  app: FastifyInstance
  routes: string[]
  seen: Map<string, SeenAnswer>
}

// By port. Fastify announces every server before it has any route, so the service needs no hook that only tests use. A server that has stopped is compared too, until another one listens there.
const recordings = new Map<number, Recording>()
subscribe('fastify.initialization', (message) => {
  if (announcesServer(message)) record(message.fastify)
})

const announcesServer = (message: unknown): message is { fastify: FastifyInstance } =>
  typeof message === 'object' && message !== null && 'fastify' in message

function record(app: FastifyInstance): void {
  const seen: Recording['seen'] = new Map()
  const routes: string[] = []
  const ownErrors = new WeakSet<FastifyRequest>()
  app.addHook('onListen', (done) => {
    const address = app.server.address()
    if (typeof address === 'object' && address !== null) recordings.set(address.port, { app, routes, seen })
    done()
  })
  app.addHook('onRoute', ({ method, url }) => void routes.push(`${method} ${url}`))
  app.addHook('onError', (request, _, __, done) => {
    ownErrors.add(request)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const answer = read(request, reply, ownErrors.has(request))
    if (answer !== null) seen.set(JSON.stringify(answer), answer)
    done()
  })
}

/** The pages that show the document. They are not part of the interface that it describes. */
const pages = /^\/docs(?:$|\/)/

/** Null for what no document can describe. */
function read(request: FastifyRequest, { raw }: FastifyReply, isOwnError: boolean): SeenAnswer | null {
  const { url: route } = request.routeOptions
  // A path that does not exist, or a request that no route was found for.
  if (request.is404 || route === undefined) return null
  // The caller left before anything was sent, or the connection became a WebSocket.
  if (!raw.headersSent) return null
  // A WebSocket handshake for a route that takes none is refused alike on every path.
  if (raw.statusCode === 426) return null
  const headers = namesOf(raw)
  return {
    route,
    method: request.method === 'HEAD' ? 'get' : request.method.toLowerCase(),
    status: raw.statusCode,
    headers: [...headers.keys()].filter((name) => !general.has(name)).sort(),
    contentType: headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? null,
    isOwnError,
  }
}

/** Headers of HTTP itself, and those that protect browsers: every answer may have them. */
const general = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'referrer-policy',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
  'x-frame-options',
])

/** What was sent. Headers that are given to `writeHead` alone are in the text only. */
function namesOf(raw: ServerResponse & { _header?: string | null }): Map<string, string> {
  const lines = (raw._header ?? '').split('\r\n').slice(1).filter(Boolean)
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

/** Says what the server at this address answered that its own document does not describe. */
export function findUndescribed(address: string): string[] {
  const { port } = new URL(address)
  const recording = recordings.get(Number(port))
  if (recording === undefined) return [`no server listens at ${address}`]
  const document = readDocument(recording)
  return [...new Set([...recording.seen.values()].flatMap((answer) => compare(answer, document)))].sort()
}

/** The server goes on, and what it answered so far has been compared. */
export const forgetAnswers = (address: string): void =>
  recordings.get(Number(new URL(address).port))?.seen.clear()

/** For a server that has stopped: everything it was made of would stay in memory. */
export const forgetServer = (address: string): void => void recordings.delete(Number(new URL(address).port))

// Writing the document takes 0.3 s of processor time, half of what it takes to start and stop a service. What it says of a route
// follows from the sources alone, so services with the same routes have the same document.
const documents = new Map<string, Described>()

/** As a reader gets it. */
function readDocument({ app, routes }: Recording): Described {
  const key = routes.join('\n')
  const known = documents.get(key)
  if (known) return known
  const document: Described = JSON.parse(JSON.stringify(app.swagger()))
  documents.set(key, document)
  return document
}

/** What a provider may add to an answer that is passed through: its names are the provider's. */
const passedThrough =
  /^(?:openai|anthropic|x-amzn|apim)-|^(?:x-)?request-id$|^retry-after-ms$|^x-should-retry$/

function compare(answer: SeenAnswer, { paths = {}, components }: Described): string[] {
  const { route, method, status, headers, contentType, isOwnError } = answer
  const path = documentPathOf(route, Object.keys(paths))
  const responses = path === undefined ? undefined : paths[path]?.[method]?.responses
  const at = `${method.toUpperCase()} ${route}`
  if (responses === undefined) return pages.test(route) ? [] : [`${at} is not described`]
  const range = `${String(status)[0]}XX`
  const listed = responses[status] ?? (isOwnError ? undefined : responses[range])
  const response = listed?.$ref ? components?.responses?.[listed.$ref.split('/').at(-1) ?? ''] : listed
  if (response === undefined)
    return [`${at}: ${status} is not described${isOwnError ? ' as an error of ours' : ''}`]
  const isPassed = '5XX' in responses && !isOwnError
  const known = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()))
  const unknown = headers.filter((name) => !known.has(name) && !(isPassed && passedThrough.test(name)))
  const faults = unknown.map((name) => `${at}: ${status} has a header ${name} that is not described`)
  const contents = Object.keys(response.content ?? {})
  if (contentType !== null && !contents.some((each) => matches(each, contentType)))
    faults.push(`${at}: ${status} is ${contentType}, described as ${contents.join(', ') || 'nothing'}`)
  if (status === 401 && !headers.includes('www-authenticate'))
    faults.push(`${at}: 401 without WWW-Authenticate`)
  return faults
}

const matches = (described: string, type: string): boolean =>
  described === type || described === '*/*' || described === `${type.split('/')[0]}/*`

/** `/v1/keys/{id}` for `/v1/keys/:id`. The document gives a wildcard a name. */
function documentPathOf(route: string, paths: readonly string[]): string | undefined {
  const path = route.replaceAll(/:(\w+)/g, '{$1}')
  if (!path.endsWith('*')) return paths.includes(path) ? path : undefined
  const start = path.slice(0, -1)
  return paths.find((each) => each.startsWith(`${start}{`) && !each.slice(start.length).includes('/'))
}
