import { asArray } from '../../../json/index.js'
import type { DialectTexts } from '../../texts/dialect-texts.js'
import { TextWalk } from '../../texts/text-walk.js'

/** The answer is numbers: nothing in it can be judged. */
export const embeddingsTexts: DialectTexts = {
  inRequest: (json) => new TextWalk(json),
  inAnswer: () => new TextWalk(''),
  asksForJson: () => false,
  isReadable: (body) => asArray(body.input).every((item) => typeof item === 'string'),
  messageCount: (body) => (typeof body.input === 'string' ? 1 : asArray(body.input).length),
}
