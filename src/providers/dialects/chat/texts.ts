import { asArray, asObject, asText } from '../../../json/index.js'
import type { DialectTexts } from '../../texts/dialect-texts.js'
import { TextWalk, type WalkOptions } from '../../texts/text-walk.js'

export const chatTexts: DialectTexts = {
  inRequest: (json) => new TextWalk(json),
  inAnswer: (json, asJson) => new TextWalk(json, answerOptions(asJson)),

  asksForJson: (body) => isJsonFormat(body.response_format),
  isReadable: () => true,
  messageCount: (body) => asArray(body.messages).length,
}

export const isJsonFormat = (format: unknown): boolean => /^json/.test(asText(asObject(format).type))

const plain: WalkOptions = { noProbabilities: 'null' }
const structured: WalkOptions = { ...plain, isJson: (path) => path.at(-1) === 'content' }
export const answerOptions = (asJson: boolean) => (asJson ? structured : plain)
