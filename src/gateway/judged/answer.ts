import { ApiError } from '../../errors.js'
import { NumberedTexts, type PlacedFinding } from '../../governed/index.js'
import { type JsonObject, parseObject } from '../../json/index.js'
import type { AnswerJudge } from '../../modules/policies/index.js'
import { findToolsCalled } from '../../providers/index.js'
import {
  type Answer,
  answerFormOf,
  hideAnswer,
  readContent,
  readWholeAnswer,
  type UpstreamHead,
} from '../answer.js'
import type { Call, ReceivedCall } from '../call.js'
import { readAnswerHead } from './header-texts.js'

/** Judges an answer that came in one piece: also an error of the provider, which may repeat what it was asked. */
export async function judgeWholeAnswer(
  received: ReceivedCall,
  head: UpstreamHead,
  body: Buffer,
  judge: AnswerJudge,
): Promise<Answer> {
  const form = answerFormOf(received.call, head)
  const json = form === null ? body.toString() : form.toJson(body)
  const content = readContent(received.call, head, body)
  const readable = content ?? (head.status >= 400 ? parseObject(json) : null)
  if (readable === null) return hideUnreadable(received, head, body)
  const { 'content-type': given = '', 'content-encoding': _, ...headers } = head.headers
  // In one way only: in another character set, the bytes would say something else.
  const type = form === null ? 'application/json' : form.contentTypeOf(given)
  const shown = { ...head, headers: { ...headers, 'content-type': type } }
  const { refusal, ...judged } = await judgeAnswerText(received.call, json, readable, judge, headers)
  if (refusal !== null)
    return hideAnswer(received, readWholeAnswer(received, shown, body, content), refusal, 'blocked')
  if (judged.json !== json) {
    const write = (text: string) => (form === null ? Buffer.from(text) : form.fromJson(text))
    const changed = write(judged.json)
    const redacted = judged.redacted === judged.json ? changed : write(judged.redacted)
    return readWholeAnswer(received, shown, changed, undefined, redacted)
  }
  return readWholeAnswer(received, shown, body, content)
}

/** What policies cannot read, the caller does not see. */
function hideUnreadable(received: ReceivedCall, { status }: UpstreamHead, body: Buffer): Answer {
  const message = `The provider answered ${status} with something that policies cannot read`
  const error = received.call.dialect.errorBody(new ApiError('upstream_error', message).toBody())
  const shown = status < 400 || body.length === 0 ? body : Buffer.from(JSON.stringify(error))
  return readWholeAnswer(received, { status, headers: { 'content-type': 'application/json' } }, shown, null)
}

interface JudgedAnswer {
  refusal: ApiError | null
  /** What the caller may see of it. */
  json: string
  /** The same without what was put back for the caller. */
  redacted: string
  /** Of a dry run: what was found in it. */
  findings: readonly PlacedFinding[]
}

export async function judgeAnswerText(
  { dialect: { texts }, body }: Call,
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
  const blanked = redacted ? walk.revealing.map(({ start, end, blank }) => ({ start, end, json: blank })) : []
  const shown = source.apply(json, changes, blanked)
  return {
    refusal,
    json: shown,
    redacted: removed === changes ? shown : source.apply(json, removed, blanked),
    findings: findings.map((finding) => source.locate(finding)),
  }
}
