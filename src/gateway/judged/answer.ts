import { ApiError } from '../../errors.js'
import { type JsonObject, parseObject } from '../../json/index.js'
import type { AnswerJudge } from '../../modules/policies/index.js'
import { findToolsCalled } from '../../providers/index.js'
import { type Answer, hideAnswer, readContent, readWholeAnswer, type UpstreamHead } from '../answer.js'
import type { Call, ReceivedCall } from '../call.js'
import { NumberedTexts } from './numbered-texts.js'

/** Judges an answer that came in one piece: also an error of the provider, which may repeat what it was asked. */
export async function judgeWholeAnswer(
  received: ReceivedCall,
  head: UpstreamHead,
  body: Buffer,
  judge: AnswerJudge,
): Promise<Answer> {
  const json = body.toString()
  const content = readContent(head, json)
  const readable = content ?? (head.status >= 400 ? parseObject(json) : null)
  if (readable === null) return readWholeAnswer(received, head, hideUnreadable(received, head, body), null)
  const { refusal, json: judged } = await judgeAnswerText(received.call, json, readable, judge)
  if (refusal !== null)
    return hideAnswer(received, readWholeAnswer(received, head, body, content), refusal, 'blocked')
  if (judged !== json) return readWholeAnswer(received, head, Buffer.from(judged))
  return readWholeAnswer(received, head, body, content)
}

/** What policies cannot read, the caller does not see. */
function hideUnreadable({ call }: ReceivedCall, { status }: UpstreamHead, body: Buffer): Buffer {
  if (status < 400 || body.length === 0) return body
  const message = `The provider answered ${status} with something that policies cannot read`
  return Buffer.from(JSON.stringify(call.dialect.errorBody(new ApiError('upstream_error', message).toBody())))
}

interface JudgedAnswer {
  refusal: ApiError | null
  /** What the caller may see of it. */
  json: string
}

export async function judgeAnswerText(
  { dialect: { texts }, body }: Call,
  json: string,
  content: JsonObject,
  judge: AnswerJudge,
): Promise<JudgedAnswer> {
  const walk = texts.inAnswer(json, texts.asksForJson(body))
  const source = new NumberedTexts(walk)
  const { refusal, changes, redacted } = await judge.judgeWhole(source, () => findToolsCalled(content))
  const blanked = redacted ? walk.revealing.map(({ start, end, blank }) => ({ start, end, json: blank })) : []
  return { refusal, json: source.apply(json, changes, blanked) }
}
