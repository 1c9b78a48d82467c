import { type JsonObject, parseObject } from '@tallystick/record/json'
import type { AnswerJudge } from '../../../policies/index.js'
import { findToolsCalled } from '../../../providers/index.js'
import { ApiError } from '../../../shared/errors.js'
import { type LocatedFinding, NumberedTexts } from '../../core/index.js'
import {
  type Answer,
  answerCodecOf,
  hideAnswer,
  readContent,
  readWholeAnswer,
  type UpstreamHead,
} from '../answer.js'
import type { Call, ReceivedModelCall } from '../call.js'
import { readAnswerHead } from './header-texts.js'

/** Judges an answer that is not a stream, including errors of the provider, which may repeat the request. */
export async function judgeWholeAnswer(
  received: ReceivedModelCall,
  head: UpstreamHead,
  body: Buffer,
  judge: AnswerJudge,
): Promise<Answer> {
  const codec = answerCodecOf(received.call, head)
  const json = codec === null ? body.toString() : codec.toJson(body)
  const content = readContent(received.call, head, body)
  const readable = content ?? (head.status >= 400 ? parseObject(json) : null)
  if (readable === null) return hideUnreadable(received, head, body)
  const { 'content-type': given = '', 'content-encoding': _, ...headers } = head.headers
  // The content type is fixed, because the bytes would have another meaning in another character set.
  const type = codec === null ? 'application/json' : codec.contentTypeOf(given)
  const shown = { ...head, headers: { ...headers, 'content-type': type } }
  const { refusal, ...judged } = await judgeAnswerText(received.call, json, readable, judge, headers)
  if (refusal !== null)
    return hideAnswer(received, readWholeAnswer(received, shown, body, content), refusal, 'blocked')
  if (judged.json !== json) {
    const write = (text: string) => (codec === null ? Buffer.from(text) : codec.fromJson(text))
    const changed = write(judged.json)
    const redacted = judged.redacted === judged.json ? changed : write(judged.redacted)
    return readWholeAnswer(received, shown, changed, undefined, redacted)
  }
  return readWholeAnswer(received, shown, body, content)
}

/** Returns an error instead of an answer that policies cannot read. */
function hideUnreadable(received: ReceivedModelCall, { status }: UpstreamHead, body: Buffer): Answer {
  const message = `The provider answered ${status} with something that policies cannot read`
  const error = received.call.endpoint.errorBody(new ApiError('upstream_error', message).toBody())
  const shown = status < 400 || body.length === 0 ? body : Buffer.from(JSON.stringify(error))
  return readWholeAnswer(received, { status, headers: { 'content-type': 'application/json' } }, shown, null)
}

interface JudgedAnswer {
  refusal: ApiError | null
  /** The answer for the caller. */
  json: string
  /** The same without the values that policies restored for the caller. */
  redacted: string
  /** The findings. Only in a policy trial. */
  findings: readonly LocatedFinding[]
}

export async function judgeAnswerText(
  { endpoint: { texts }, body }: Call,
  json: string,
  content: JsonObject,
  judge: AnswerJudge,
  headers: UpstreamHead['headers'] = {},
): Promise<JudgedAnswer> {
  const walk = texts.inAnswer(json, texts.asksForJson(body))
  const source = new NumberedTexts(walk, readAnswerHead(headers))
  const { refusal, changes, removed, redacted, findings } = await judge.judgeWhole(source, () =>
    findToolsCalled(content),
  )
  const blanked = redacted
    ? walk.revealing.map(({ start, end, replacement }) => ({ start, end, json: replacement }))
    : []
  const shown = source.apply(json, changes, blanked)
  return {
    refusal,
    json: shown,
    redacted: removed === changes ? shown : source.apply(json, removed, blanked),
    findings: findings.map((finding) => source.locate(finding)),
  }
}
