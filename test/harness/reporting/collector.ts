import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** A span as it came, with its attributes by name. */
export interface SeenSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  traceState?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  status?: { code: number }
  attributes: Record<string, string | number | boolean>
}

/** A log record as it came. */
export interface SeenLine {
  timeUnixNano: string
  severityNumber: number
  severityText: string
  body: string
  traceId?: string
  attributes: Record<string, string | number | boolean>
}

export interface Collector {
  url: string
  lines: SeenLine[]
  spans: SeenSpan[]
  requests: { headers: IncomingHttpHeaders; path: string }[]
  /** What is wrong with what came, by the JSON encoding of OTLP. */
  faults: string[]
  resource: Record<string, string | number | boolean>
  /** What to do with every request from now on: true when it was answered and its spans do not count. */
  interceptWith(script: ((response: ServerResponse) => boolean) | null): void
  close(): Promise<void>
}

/** Takes spans by OTLP over HTTP, and checks every one of them. */
export async function startCollector(port = 0): Promise<Collector> {
  let intercept: ((response: ServerResponse) => boolean) | null = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      collector.requests.push({ headers: request.headers, path: request.url ?? '' })
      if (intercept?.(response)) return
      const raw = Buffer.concat(chunks)
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString()
      read(text, collector)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines: [],
    spans: [],
    requests: [],
    faults: [],
    resource: {},
    interceptWith(script) {
      intercept = script
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

function read(text: string, { spans, lines, faults, resource }: Collector): void {
  const payload: unknown = JSON.parse(text)
  if (isObject(payload) && payload.resourceLogs !== undefined) {
    for (const { resource: of, scopeLogs } of listOf(payload.resourceLogs)) {
      Object.assign(resource, attributesOf(isObject(of) ? of.attributes : [], faults))
      for (const { logRecords } of listOf(scopeLogs))
        for (const record of listOf(logRecords)) lines.push(readLine(record, faults))
    }
    return
  }
  const all = isObject(payload) ? listOf(payload.resourceSpans) : []
  if (all.length === 0) faults.push('no resourceSpans')
  for (const { resource: of, scopeSpans } of all) {
    Object.assign(resource, attributesOf(isObject(of) ? of.attributes : [], faults))
    for (const { scope, spans: given } of listOf(scopeSpans)) {
      if (!isObject(scope) || typeof scope.name !== 'string') faults.push('a scope without a name')
      for (const span of listOf(given)) spans.push(readSpan(span, faults))
    }
  }
}

const shapes: Record<string, RegExp> = {
  traceId: /^(?!0+$)[0-9a-f]{32}$/,
  spanId: /^(?!0+$)[0-9a-f]{16}$/,
  startTimeUnixNano: /^1\d{18}$/,
  endTimeUnixNano: /^1\d{18}$/,
  name: /^.+$/,
}
const known = ['parentSpanId', 'traceState', 'flags', 'kind', 'attributes', 'status', ...Object.keys(shapes)]

function readSpan(given: Json, faults: string[]): SeenSpan {
  const texts: Record<string, string> = {}
  for (const [name, shape] of Object.entries(shapes)) {
    const value = given[name]
    texts[name] = typeof value === 'string' ? value : ''
    if (!shape.test(texts[name])) faults.push(`${name} is ${JSON.stringify(value)}`)
  }
  for (const name of Object.keys(given)) if (!known.includes(name)) faults.push(`unknown member ${name}`)
  const { parentSpanId, traceState, kind, flags, status } = given
  if (parentSpanId !== undefined && !/^[0-9a-f]{16}$/.test(String(parentSpanId))) faults.push('parentSpanId')
  if (kind !== 1 && kind !== 2 && kind !== 3) faults.push(`kind is ${JSON.stringify(kind)}`)
  if (!Number.isInteger(flags)) faults.push(`flags are ${JSON.stringify(flags)}`)
  const { traceId = '', spanId = '', name = '', startTimeUnixNano = '', endTimeUnixNano = '' } = texts
  if (BigInt(startTimeUnixNano || 0) > BigInt(endTimeUnixNano || 0))
    faults.push(`${name} ends before it begins`)
  return {
    ...{ traceId, spanId, name, startTimeUnixNano, endTimeUnixNano, kind: Number(kind) },
    ...(typeof parentSpanId === 'string' && { parentSpanId }),
    ...(typeof traceState === 'string' && { traceState }),
    ...(isObject(status) && { status: { code: Number(status.code) } }),
    attributes: attributesOf(given.attributes, faults),
  }
}

function readLine(given: Json, faults: string[]): SeenLine {
  const { timeUnixNano, severityNumber, severityText, body, traceId, attributes, ...others } = given
  for (const name of Object.keys(others)) faults.push(`unknown member ${name}`)
  if (typeof timeUnixNano !== 'string' || !/^1\d{18}$/.test(timeUnixNano)) faults.push('timeUnixNano')
  if (!(Number(severityNumber) >= 1 && Number(severityNumber) <= 24)) faults.push('severityNumber')
  if (traceId !== undefined && !shapes.traceId?.test(String(traceId))) faults.push('traceId of a line')
  return {
    ...{ timeUnixNano: String(timeUnixNano), severityNumber: Number(severityNumber) },
    ...{ severityText: String(severityText), body: isObject(body) ? String(body.stringValue) : '' },
    ...(typeof traceId === 'string' && { traceId }),
    attributes: attributesOf(attributes, faults),
  }
}

function attributesOf(given: unknown, faults: string[]): Record<string, string | number | boolean> {
  const attributes: Record<string, string | number | boolean> = {}
  for (const { key, value } of listOf(given)) {
    const [[type = '', content] = []] = isObject(value) ? Object.entries(value) : []
    if (typeof key !== 'string' || Object.hasOwn(attributes, key))
      faults.push(`attribute ${JSON.stringify(key)}`)
    const name = String(key)
    if (type === 'stringValue' && typeof content === 'string') attributes[name] = content
    else if (type === 'intValue' && typeof content === 'string' && /^-?\d+$/.test(content))
      attributes[name] = Number(content)
    else if (type === 'doubleValue' && typeof content === 'number') attributes[name] = content
    else if (type === 'boolValue' && typeof content === 'boolean') attributes[name] = content
    else faults.push(`the value of ${name} is ${JSON.stringify(value)}`)
  }
  return attributes
}
