import { asArray, asObject } from '../../../json/index.js'
import type { DialectTexts } from '../../texts/dialect-texts.js'
import { TextWalk, type WalkOptions } from '../../texts/text-walk.js'
import { isJsonFormat } from '../chat/texts.js'

export const messagesTexts: DialectTexts = {
  inRequest: (json) => new TextWalk(json),
  inAnswer: (json, asJson) => new TextWalk(json, answerOptions(asJson)),

  asksForJson: (body) =>
    isJsonFormat(body.output_format) || isJsonFormat(asObject(body.output_config).format),
  isReadable: () => true,
  messageCount: (body) => asArray(body.messages).length,
}

const plain: WalkOptions = {}
const structured: WalkOptions = { ...plain, isJson: (path) => path.at(-1) === 'text' }
export const answerOptions = (asJson: boolean) => (asJson ? structured : plain)
