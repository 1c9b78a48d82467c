import { ApiError } from '../errors.js'
import { commitTo } from '../governed/index.js'
import { type JsonObject, parseObject, readModelName } from '../json/index.js'
import type { EntryOutcome } from '../ledger/index.js'
import {
  type AnswerForm,
  type AnswerLimit,
  type Dialect,
  errorUsageOf,
  nothingProduced,
  type Produced,
  type Reference,
  type ReportedError,
  type ReportedUsage,
} from '../providers/index.js'
import type { Call, ReceivedCall } from './call.js'
import type { Caller } from './caller.js'
import type { SentAnswer } from './content.js'
import type { AttemptFailure } from './routing/course.js'

/** What is known of a call that reached a provider, before its caller may see the end of it. */
export interface Answer {
  outcome: Exclude<EntryOutcome, 'interrupted'>
  status: number
  /** The provider's own count, as far as it reported one. */
  usage: ReportedUsage | null
  /**
   * How much of the answer was seen. `nothing`: the provider produced nothing, or refused the call. `whole`: all of it, to its end.
   * `part`: some of it, or none, though the provider may have produced more.
   */
  seen: 'nothing' | 'whole' | 'part'
  /** What was seen, to be counted; null where it is not text. */
  produced(): Produced | null
  /** The error that the provider answered with; null where it did not. */
  reportedError: ReportedError | null
  upstreamModel: string | null
  /** What the provider issued with it that a later call may name. */
  issued: readonly Reference[]
  /** From the arrival of the call to the first byte of its answer. */
  firstByteMs: number | null
  /** What the provider answered with, whatever the caller is told; null when it did not answer. */
  upstreamStatus: number | null
  /** The limit that it was ended for; `reader`: its caller took nothing of it for too long. */
  exceeded: AnswerLimit | 'reader' | null
  /** Why another attempt may do better; null where it would not, and where the caller has seen something of this one. */
  failure: AttemptFailure | null
  /** Why there is no answer, or not all of it. Null when there is, also where it is the provider's own error. */
  error: ApiError | null
  commitment: string | null
  /** What its caller sees of it once it is released; null when that is nothing of a provider's. */
  sent: SentAnswer | null
  /** Sends the caller the end. Called once the receipt is durable. */
  release(headers: Record<string, string>): void
  /** Ends the call with an error instead: the receipt could not be made durable. */
  withhold(error: ApiError): void
}

/** How a call ends that was cut short. No error: the caller is gone. */
export interface Ending {
  outcome: Exclude<Answer['outcome'], 'ok' | 'redacted'>
  status: number
  error: ApiError | null
}

export interface UpstreamHead {
  status: number
  /** Those that the caller may see. */
  headers: Record<string, string>
}

const isOk = ({ status }: UpstreamHead): boolean => status >= 200 && status <= 299

/** How an answer is read that is no JSON; null for one that is, and for errors, which always are. */
export function answerFormOf({ dialect, body }: Call, head: UpstreamHead): AnswerForm | null {
  const form = isOk(head) ? dialect.answerForm?.(body) : null
  return form?.isExpected(head.headers['content-type'] ?? '') ? form : null
}

/** The parsed answer. Null for an error of the provider, and for what is neither a JSON object nor what was asked for. */
export function readContent(call: Call, head: UpstreamHead, body: Buffer): JsonObject | null {
  if (!isOk(head)) return null
  const form = answerFormOf(call, head)
  return parseObject(form === null ? body.toString() : form.toJson(body))
}

/**
 * An answer that came in one piece. The provider's own errors go to the caller as they are. `redacted`: the same without what
 * policies put back for the caller.
 */
export function readWholeAnswer(
  { call, caller, commitmentKey }: Pick<ReceivedCall, 'call' | 'caller' | 'commitmentKey'>,
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
    ? errorUsageOf(call.dialect, parseObject(reportedError.text), call.body)
    : content && call.dialect.usageOf(content, call.body)
  if (!failed && content === null) {
    const message = `The provider answered ${status} with something that cannot be read`
    const error = new ApiError('upstream_error', message)
    return withoutAnswer(caller, { outcome: 'upstream_error', status: error.status, error }, 'part')
  }
  // What was read is as it came, and what was read as JSON is JSON, whatever the provider calls it.
  if (content !== null) delete headers['content-encoding']
  const isJson = content !== null && answerFormOf(call, head) === null
  if (isJson && !headers['content-type']?.includes('json')) headers['content-type'] = 'application/json'
  return {
    outcome: failed ? 'upstream_error' : 'ok',
    status,
    usage,
    // An error that says part of what it used has used the rest, too.
    seen: content ? 'whole' : usage ? 'part' : 'nothing',
    produced: () => (content ? allOf(call.dialect.outputOf(content)) : nothingProduced),
    reportedError,
    upstreamModel: content && readModelName(content.model),
    issued: (content && call.dialect.issuedIn?.(content, call.body)) ?? [],
    firstByteMs: null,
    upstreamStatus: null,
    exceeded: null,
    failure: null,
    error: null,
    commitment: commitTo(commitmentKey, body),
    sent: describeWhole(call.dialect, content, { full: body, redacted }),
    release: (added) => caller.send(status, { ...headers, ...added }, body),
    withhold: (error) => caller.sendError(error, {}),
  }
}

// Errors are short. What stands further on is not looked for.
const maxReadOfError = 64 * 1024

const allOf = (texts: readonly string[] | null): Produced | null =>
  texts && { texts, moreTokens: 0, chars: texts.reduce((sum, text) => sum + text.length, 0) }

function describeWhole(
  dialect: Dialect,
  content: JsonObject | null,
  bodies: Record<'full' | 'redacted', Buffer>,
): SentAnswer {
  const summary = content && dialect.summarizeAnswer?.(content)
  return summary
    ? { read: () => summary.answer, note: summary.note }
    : { read: (mode) => bodies[mode], note: null }
}

/** The answer to a caller that hung up before it was complete: it is paid for all the same. */
export function withoutCaller({ caller }: Pick<ReceivedCall, 'caller'>, answer: Answer): Answer {
  const gone = withoutAnswer(caller, callerGone, 'part')
  const { usage, seen, produced, reportedError, upstreamModel, issued } = answer
  return { ...gone, usage, seen, produced, reportedError, upstreamModel, issued }
}

/** An answer that its caller may no longer see: it is paid for all the same. */
export const hideAnswer = (
  { caller }: Pick<ReceivedCall, 'caller'>,
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

/** A call that ends with an error of our own, or with nothing. */
export function withoutAnswer(
  caller: Caller,
  ending: Ending,
  seen: 'nothing' | 'part',
  reportedError: ReportedError | null = null,
): Answer {
  const { outcome, status, error } = ending
  const end = (headers: Record<string, string>, shown: ApiError | null) => {
    // A caller that hung up is sent nothing.
    if (shown) caller.sendError(shown, headers)
    else caller.abandon()
  }
  return {
    outcome,
    status,
    usage: null,
    seen,
    produced: () => nothingProduced,
    reportedError,
    upstreamModel: null,
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
