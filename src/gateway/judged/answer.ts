import type { ApiError } from '../../errors.js'
import type { JsonObject } from '../../json/index.js'
import type { AnswerJudge } from '../../modules/policies/index.js'
import { findToolsCalled } from '../../providers/index.js'
import { type Answer, readContent, readWholeAnswer, type UpstreamHead } from '../answer.js'
import type { Call, ReceivedCall } from '../call.js'
import { NumberedTexts } from './numbered-texts.js'

/** Judges an answer that came in one piece. An error of the provider is not judged. */
export async function judgeWholeAnswer(
  received: ReceivedCall,
  head: UpstreamHead,
  body: Buffer,
  judge: AnswerJudge,
): Promise<Answer> {
  const json = body.toString()
  const content = readContent(head, json)
  if (content === null) return readWholeAnswer(received, head, body, null)
  const { refusal, json: judged } = await judgeAnswerText(received.call, json, content, judge)
  if (refusal !== null) return refuse(readWholeAnswer(received, head, body, content), refusal, received)
  if (judged !== json) return readWholeAnswer(received, head, Buffer.from(judged))
  return readWholeAnswer(received, head, body, content)
}

/** It was produced and is paid for; the caller does not see it. */
const refuse = (answer: Answer, refusal: ApiError, { reply }: ReceivedCall): Answer => ({
  ...answer,
  outcome: 'blocked',
  status: refusal.status,
  commitment: null,
  release: (headers) => void reply.headers(headers).send(refusal),
})

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
