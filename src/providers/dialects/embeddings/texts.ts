import { asArray } from '../../../json/index.js'
import type { DialectTexts } from '../../texts/dialect-texts.js'
import { TextWalk } from '../../texts/text-walk.js'

/** Numbers where vectors stand are not judged; all else in an answer is. */
export const embeddingsTexts: DialectTexts = {
  inRequest: (json) => new TextWalk(json),
  inAnswer: (json) => new TextWalk(json),
  asksForJson: () => false,
  isReadable: (body) => asArray(body.input).every((item) => typeof item === 'string'),
  messageCount: (body) => (typeof body.input === 'string' ? 1 : asArray(body.input).length),
}
