import { type JsonObject, parseObject, readModelName } from '@tallystick/record/json'
import {
  type AnswerCodec,
  type AnswerLimit,
  type Endpoint,
  errorUsageOf,
  nothingProduced,
  type Produced,
  type Reference,
  type ReportedError,
  type ReportedUsage,
} from '../../providers/index.js'
import type { EntryOutcome, ReceiptDraft } from '../../record/index.js'
import { ApiError } from '../../shared/errors.js'
import { commitTo, outcomeOf } from '../core/index.js'
import type { Call, ReceivedModelCall } from './call.js'
import type { Caller } from './caller.js'
import type { SentAnswer } from './content.js'
import type { AttemptFailure } from './routing/retry-plan.js'

/** The answer of an attempt, before its caller may see the end of it. */
export interface Answer {
  outcome: Exclude<EntryOutcome, 'interrupted'>
  status: number
  /** The usage that the provider reported. Null when it reported none. */
  usage: ReportedUsage | null
  /**
   * How much of the answer was received. `nothing`: the provider produced nothing or refused the call. `whole`: the complete answer.
   * `part`: some of it or none, but the provider may have produced more.
   */
  received: 'nothing' | 'whole' | 'part'
  /** Returns the received output for counting tokens. Null when it is not text. */
  produced(): Produced | null
  /** The error that the provider answered with. Null when there was none. */
  reportedError: ReportedError | null
  /** The fields that the receipt takes from the answer. */
  receiptFields: ReceiptFields
  /** The ids that the provider issued with the answer and that a later call may name. */
  issued: readonly Reference[]
  /** The time from the arrival of the call to the first byte of the answer. */
  firstByteMs: number | null
  /** The status of the provider, which may differ from the caller's. Null when the provider did not answer. */
  upstreamStatus: number | null
  /** The limit that cut the answer short. `reader` means that the caller stopped reading it. */
  exceeded: AnswerLimit | 'reader' | null
  /** Why another attempt may succeed. Null when it would not, and when the caller has already seen a part of this answer. */
  failure: AttemptFailure | null
  /** Why the answer is missing or incomplete. Null when it is complete, including when it is the provider's own error. */
  error: ApiError | null
  commitment: string | null
  /** The part of the provider's answer that the caller sees, for content capture. Null when it sees none. */
  sent: SentAnswer | null
  /** Sends the rest of the answer to the caller. Called once the receipt is durable. */
  release(headers: Record<string, string>): void
  /** Sends an error to the caller instead, because the receipt could not be made durable. */
  withhold(error: ApiError): void
}

/** The fields of the receipt that are known only from the answer. */
export type ReceiptFields = Partial<Omit<ReceiptDraft, 'id' | 'ts' | 'kind'>>

/** Returns the field for the model that answered. */
export const modelField = (model: string | null): ReceiptFields => (model === null ? {} : { upstream: model })

/** How an attempt without a complete answer ends. `error` is null when the caller has disconnected. */
export interface Ending {
  outcome: Exclude<Answer['outcome'], 'ok' | 'redacted'>
  status: number
  error: ApiError | null
}

/** Returns the ending for an error. `outcome` applies unless the error is a fault of this service. */
export const toEnding = (error: ApiError, outcome: 'aborted' | 'upstream_error' = 'aborted'): Ending => ({
  outcome: outcomeOf(error, outcome),
  status: error.status,
  error,
})

export interface UpstreamHead {
  status: number
  /** The headers that the caller may see. */
  headers: Record<string, string>
}

const isOk = ({ status }: UpstreamHead): boolean => status >= 200 && status <= 299

/** Returns the codec of an answer that is not JSON, such as audio. Null for JSON, which includes all errors. */
export function answerCodecOf({ endpoint, body }: Call, head: UpstreamHead): AnswerCodec | null {
  const codec = isOk(head) ? endpoint.answerCodec?.(body) : null
  return codec?.accepts(head.headers['content-type'] ?? '') ? codec : null
}

/** Returns the parsed answer. Null for errors of the provider, and for what is neither a JSON object nor in the requested format. */
export function readContent(call: Call, head: UpstreamHead, body: Buffer): JsonObject | null {
  if (!isOk(head)) return null
  const codec = answerCodecOf(call, head)
  return parseObject(codec === null ? body.toString() : codec.toJson(body))
}

/**
 * Reads an answer that is not a stream. Errors of the provider are passed on to the caller. `redacted` is the body without the values
 * that policies restored for the caller.
 */
export function readWholeAnswer(
  { call, caller, commitmentKey }: Pick<ReceivedModelCall, 'call' | 'caller' | 'commitmentKey'>,
  head: UpstreamHead,
  body: Buffer,
  content: JsonObject | null = readContent(call, head, body),
  redacted: Buffer = body,
): Answer {
  const { status } = head
  const headers = { ...head.headers }
  const failed = status >= 400 && status <= 599
  const reportedError = failed ? { status, text: body.toString('utf8', 0, maxReadOfError) } : null
  const usage = reportedError
    ? errorUsageOf(call.endpoint, parseObject(reportedError.text), call.body)
    : content && call.endpoint.usageOf(content, call.body)
  if (!failed && content === null) {
    const message = `The provider answered ${status} with something that cannot be read`
    const error = new ApiError('upstream_error', message)
    return createEmptyAnswer(caller, { outcome: 'upstream_error', status: error.status, error }, 'part')
  }
  // The body is not encoded, since it could be parsed. A body that was parsed as JSON is declared as JSON.
  if (content !== null) delete headers['content-encoding']
  const isJson = content !== null && answerCodecOf(call, head) === null
  if (isJson && !headers['content-type']?.includes('json')) headers['content-type'] = 'application/json'
  return {
    outcome: failed ? 'upstream_error' : 'ok',
    status,
    usage,
    // An error that reports some usage may have used more.
    received: content ? 'whole' : usage ? 'part' : 'nothing',
    produced: () => (content ? toProduced(call.endpoint.outputOf(content)) : nothingProduced),
    reportedError,
    receiptFields: modelField(content && readModelName(content.model)),
    issued: (content && call.endpoint.issuedIn?.(content, call.body)) ?? [],
    firstByteMs: null,
    upstreamStatus: null,
    exceeded: null,
    failure: null,
    error: null,
    commitment: commitTo(commitmentKey, body),
    sent: describeSentAnswer(call.endpoint, content, { full: body, redacted }),
    release: (added) => caller.send(status, Object.assign(headers, added), body),
    withhold: (error) => caller.sendError(error, {}),
  }
}

// Errors are short, so only this much is searched.
const maxReadOfError = 64 * 1024

const toProduced = (texts: readonly string[] | null): Produced | null =>
  texts && { texts, moreTokens: 0, chars: texts.reduce((sum, text) => sum + text.length, 0) }

function describeSentAnswer(
  endpoint: Endpoint,
  content: JsonObject | null,
  bodies: Record<'full' | 'redacted', Buffer>,
): SentAnswer {
  const summary = content && endpoint.summarizeAnswer?.(content)
  return summary
    ? { read: () => summary.answer, note: summary.note }
    : { read: (mode) => bodies[mode], note: null }
}

/** Hides an answer whose caller disconnected before the end. It is still paid for. */
export function hideFromGoneCaller({ caller }: Pick<ReceivedModelCall, 'caller'>, answer: Answer): Answer {
  const gone = createEmptyAnswer(caller, callerGone, 'part')
  const { usage, received, produced, reportedError, receiptFields, issued } = answer
  return { ...gone, usage, received, produced, reportedError, receiptFields, issued }
}

/** Replaces an answer that the caller may not see by an error. It is still paid for. */
export const hideAnswer = (
  { caller }: Pick<ReceivedModelCall, 'caller'>,
  answer: Answer,
  error: ApiError,
  outcome: Answer['outcome'] = 'aborted',
): Answer => ({
  ...answer,
  outcome,
  status: error.status,
  error,
  commitment: null,
  sent: null,
  release: (headers) => caller.sendError(error, headers),
})

export const callerGone: Ending = { outcome: 'aborted', status: 499, error: null }

/** Creates the answer of an attempt that has none: it ends with an error of this service, or its caller has disconnected. */
export function createEmptyAnswer(
  caller: Caller,
  ending: Ending,
  received: 'nothing' | 'part',
  reportedError: ReportedError | null = null,
): Answer {
  const { outcome, status, error } = ending
  const end = (headers: Record<string, string>, shown: ApiError | null) => {
    // Nothing is sent to a caller that has disconnected.
    if (shown) caller.sendError(shown, headers)
    else caller.abandon()
  }
  return {
    outcome,
    status,
    usage: null,
    received,
    produced: () => nothingProduced,
    reportedError,
    receiptFields: {},
    issued: [],
    firstByteMs: null,
    upstreamStatus: null,
    exceeded: null,
    failure: null,
    error,
    commitment: null,
    sent: null,
    release: (headers) => end(headers, error),
    withhold: (fault) => end({}, error && fault),
  }
}
