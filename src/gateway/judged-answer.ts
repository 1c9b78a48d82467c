import type { ApiError } from '../errors.js'
import type { AnswerJudge } from '../modules/policies/index.js'
import type { JsonObject } from '../providers/index.js'
import { type Answer, readContent, readWholeAnswer, type UpstreamHead } from './answer.js'
import type { Call } from './call.js'
import type { ArrivedCall } from './decided-call.js'
import { NumberedTexts } from './numbered-texts.js'

/** An answer that came in one piece and that policies look at, before anyone else does. A provider's error is no answer. */
export async function judgeWholeAnswer(
  arrived: ArrivedCall,
  head: UpstreamHead,
  body: Buffer,
  judge: AnswerJudge,
): Promise<Answer> {
  const { call, reply } = arrived
  const json = body.toString()
  const content = readContent(head, json)
  if (content === null) return readWholeAnswer(arrived, head, body, null)
  const judged = await judgeAnswerText(call, json, content, judge)
  const { refusal } = judged
  if (refusal === null && judged.json !== json)
    return readWholeAnswer(arrived, head, Buffer.from(judged.json))
  const answer = readWholeAnswer(arrived, head, body, content)
  if (refusal === null) return answer
  return {
    ...answer,
    outcome: 'blocked',
    status: refusal.status,
    commitment: null,
    release: (headers) => void reply.headers(headers).send(refusal),
  }
}

/** What the caller may see of it. */
export async function judgeAnswerText(
  { dialect: { texts }, body }: Call,
  json: string,
  content: JsonObject,
  judge: AnswerJudge,
): Promise<{ refusal: ApiError | null; json: string }> {
  const walk = texts.inAnswer(json, texts.asksForJson(body))
  const source = new NumberedTexts(walk)
  const { refusal, changes, redacted } = await judge.judgeWhole(source, texts.toolsCalled(content))
  const blanked = redacted ? walk.telltales.map(({ start, end, blank }) => ({ start, end, json: blank })) : []
  return { refusal, json: source.apply(json, changes, blanked) }
}
