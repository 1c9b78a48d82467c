import type { CallSummary, StageTime, ToolFacts } from '../call-summary.js'
import { genAiOperation, genAiProvider } from '../gen-ai-names.js'
import { clip, withoutKeys } from '../log/log-text.js'
import { attemptSuffix, type CallTrace, firstStageSuffix, rootSuffix } from './call-trace.js'

// Spans in the JSON encoding of OTLP, written by hand for speed: a call has about a dozen of them. Ids are in hex; times, in
// nanoseconds, and other integers are strings.

const kinds = { internal: 1, server: 2, client: 3 } as const
const errorStatus = ',"status":{"code":2}'
/** Trace flags: bit 0 is `sampled`, bit 8 says that it is known whether the parent is remote, bit 9 that it is. */
const localFlags = 0x101
const remoteFlags = 0x301

const maxChars = 256

export interface EncodedCall {
  /** JSON objects, separated by commas. */
  spans: string
  count: number
}

/** The tree of a call: a span for the call, one for each stage, and one for the request to the provider. */
export function encodeCall(trace: CallTrace, summary: CallSummary): EncodedCall {
  const { spanPrefix } = trace
  const times = new Times(trace.clockOffsetMs)
  const open = `{"traceId":"${trace.traceId}","spanId":"${spanPrefix}`
  const rootId = spanPrefix + rootSuffix
  const attemptId = spanPrefix + attemptSuffix
  const attempt = attemptOf(summary)
  let spans = encodeRoot(open, trace, summary, times)
  let count = 1
  if (attempt !== null) {
    spans += encodeAttempt(open, rootId, summary, times.span(attempt.beginMs, attempt.endMs))
    count++
  }
  for (const { name, beginMs, endMs } of summary.stages) {
    const isOfAttempt = attempt !== null && (name === 'forward' || name === 'answer')
    const suffix = toSuffix(firstStageSuffix + count)
    const parentId = isOfAttempt ? attemptId : rootId
    spans += `,${open}${suffix}","parentSpanId":"${parentId}","flags":${localFlags},"name":"${name}","kind":${kinds.internal},${times.span(beginMs, endMs)}}`
    count++
  }
  return { spans: withoutKeys(spans), count }
}

const toSuffix = (number: number): string => number.toString(16).padStart(2, '0')

function attemptOf({ attempts, stages }: CallSummary): Pick<StageTime, 'beginMs' | 'endMs'> | null {
  const forward = attempts > 0 ? stages.find(({ name }) => name === 'forward') : undefined
  if (forward === undefined) return null
  const answer = stages.find(({ name }) => name === 'answer')
  return { beginMs: forward.beginMs, endMs: (answer ?? forward).endMs }
}

/**
 * Follows the conventions for HTTP servers. The `gen_ai` attributes are on the span of the request to the provider
 * only, because otherwise counts would be added up twice.
 */
function encodeRoot(open: string, trace: CallTrace, summary: CallSummary, times: Times): string {
  const { error } = summary
  const parent = trace.parentId === null ? '' : `,"parentSpanId":"${trace.parentId}"`
  const state = trace.tracestate === null ? '' : `,"traceState":${JSON.stringify(trace.tracestate)}`
  const flags = trace.parentId === null ? localFlags : remoteFlags
  let tags = ''
  for (const [name, value] of Object.entries(summary.tags ?? {}))
    tags += text(`tallystick.tag.${name}`, value)
  const attributes =
    plainText('http.request.method', 'POST') +
    plainText('http.route', summary.route) +
    plainText('url.path', summary.route) +
    integer('http.response.status_code', summary.status) +
    text('error.type', summary.status < 400 ? null : (error?.type ?? String(summary.status))) +
    text('user.id', summary.user) +
    text('session.id', summary.session) +
    plainText('tallystick.request_id', summary.requestId) +
    integer('tallystick.receipt', summary.receipt) +
    plainText('tallystick.tenant', summary.tenant) +
    plainText('tallystick.key_id', summary.key) +
    plainText('tallystick.team', summary.team) +
    text('tallystick.model', summary.model) +
    plainText('tallystick.outcome', summary.outcome) +
    text('tallystick.policy', error?.policy ?? null) +
    text('tallystick.check', error?.check ?? null) +
    plainText('tallystick.fault', error?.fault ?? null) +
    integer('tallystick.cost_nanos', summary.costNanos) +
    number('tallystick.cost_usd', summary.costNanos / 1e9) +
    tags
  const status = summary.status >= 500 ? errorStatus : ''
  const name = JSON.stringify(`POST ${summary.route ?? ''}`)
  return `${open}${rootSuffix}"${parent}${state},"flags":${flags},"name":${name},"kind":${kinds.server},${times.span(summary.beginMs, summary.endMs)},"attributes":[${attributes.slice(1)}]${status}}`
}

/** Follows the conventions for generative AI, which include those for the Model Context Protocol. */
function encodeAttempt(open: string, rootId: string, summary: CallSummary, span: string): string {
  const hasFailed = ['upstream_error', 'aborted', 'failed'].includes(summary.outcome)
  const { name, attributes, isError } =
    summary.tool === null ? describeModel(summary, hasFailed) : describeTool(summary, summary.tool, hasFailed)
  const written = JSON.stringify(clip(name, maxChars).toWellFormed())
  const status = isError ? errorStatus : ''
  return `,${open}${attemptSuffix}","parentSpanId":"${rootId}","flags":${localFlags},"name":${written},"kind":${kinds.client},${span},"attributes":[${attributes.slice(1)}]${status}}`
}

interface AttemptSpan {
  name: string
  attributes: string
  isError: boolean
}

function describeModel(summary: CallSummary, hasFailed: boolean): AttemptSpan {
  const { error, upstreamStatus, server } = summary
  const operation = genAiOperation(summary.endpoint ?? '')
  const fault = upstreamStatus !== null && upstreamStatus >= 400 ? String(upstreamStatus) : error?.type
  const attributes =
    plainText('gen_ai.operation.name', operation) +
    text('gen_ai.provider.name', summary.vendor === null ? null : genAiProvider(summary.vendor)) +
    text('gen_ai.request.model', summary.target) +
    text('gen_ai.response.model', summary.upstream) +
    text('gen_ai.response.id', summary.answerId) +
    text('gen_ai.conversation.id', summary.session) +
    integer('gen_ai.usage.input_tokens', summary.inputTokens) +
    integer('gen_ai.usage.output_tokens', summary.outputTokens) +
    (summary.cachedTokens > 0 ? integer('gen_ai.usage.cache_read.input_tokens', summary.cachedTokens) : '') +
    text('tallystick.provider', summary.provider) +
    text('server.address', server === null ? null : server.address) +
    integer('server.port', server === null ? null : server.port) +
    integer('http.response.status_code', upstreamStatus) +
    text('error.type', hasFailed ? (fault ?? summary.outcome) : null)
  return { name: `${operation} ${summary.target ?? ''}`, attributes, isError: hasFailed }
}

/** A failure that the tool itself reports is an error, like a failure of its server. */
function describeTool(summary: CallSummary, tool: ToolFacts, hasFailed: boolean): AttemptSpan {
  const { method, name, isError, rpcCode } = tool
  const isTool = method === 'tools/call'
  const fault = rpcCode === null ? (summary.error?.type ?? summary.outcome) : String(rpcCode)
  const attributes =
    (isTool
      ? plainText('gen_ai.operation.name', 'execute_tool') + plainText('gen_ai.tool.type', 'extension')
      : '') +
    text('gen_ai.tool.name', name) +
    text('gen_ai.conversation.id', summary.session) +
    text('mcp.method.name', method) +
    text('tallystick.server', tool.server) +
    text('rpc.response.status_code', rpcCode === null ? null : String(rpcCode)) +
    text('error.type', hasFailed ? fault : isError ? 'tool_error' : null)
  const operation = isTool ? 'execute_tool' : (method ?? 'mcp')
  return {
    name: name === null ? operation : `${operation} ${name}`,
    attributes,
    isError: hasFailed || isError,
  }
}

// Characters that JSON does not escape.
const isPlain = /^[ !#-[\]-~]*$/

/** Replaces lone surrogates, because a collector would refuse the whole request. */
function text(key: string, given: string | null): string {
  if (given === null) return ''
  const value = clip(given, maxChars).toWellFormed()
  return `,{"key":"${key}","value":{"stringValue":${isPlain.test(value) ? `"${value}"` : JSON.stringify(value)}}}`
}

/** For values that this service chooses, such as ids: they contain nothing to escape. */
const plainText = (key: string, value: string | null): string =>
  value === null ? '' : `,{"key":"${key}","value":{"stringValue":"${value}"}}`

const integer = (key: string, value: number | null): string =>
  value === null ? '' : `,{"key":"${key}","value":{"intValue":"${value}"}}`

const number = (key: string, value: number): string => `,{"key":"${key}","value":{"doubleValue":${value}}}`

/**
 * Converts monotonic times to nanoseconds since 1970, to the microsecond. A stage begins where the previous one ended, so
 * the text of the last time is cached: encoding the spans of a call takes 9 µs instead of 15.
 */
class Times {
  readonly clockOffsetMs: number
  lastMs = Number.NaN
  last = ''

  constructor(clockOffsetMs: number) {
    this.clockOffsetMs = clockOffsetMs
  }

  span(beginMs: number, endMs: number): string {
    return `"startTimeUnixNano":"${this.nanos(beginMs)}","endTimeUnixNano":"${this.nanos(endMs)}"`
  }

  nanos(ms: number): string {
    if (ms === this.lastMs) return this.last
    this.lastMs = ms
    this.last = `${Math.round((ms + this.clockOffsetMs) * 1_000)}000`
    return this.last
  }
}
