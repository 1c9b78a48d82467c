import { asArray, asObject } from '../../../json/index.js'
import type { DialectTexts } from '../../texts/dialect-texts.js'
import { TextWalk, type WalkOptions } from '../../texts/text-walk.js'
import { isJsonFormat } from '../chat/texts.js'

export const responsesTexts: DialectTexts = {
  inRequest: (json) => new TextWalk(json),
  inAnswer: (json, asJson) => new TextWalk(json, answerOptions(asJson)),

  asksForJson: (body) => isJsonFormat(asObject(body.text).format),
  isReadable: () => true,
  messageCount: (body) => (typeof body.input === 'string' ? 1 : asArray(body.input).length),
}

/** A response repeats what it was asked for. That is no part of what the model says. */
export const echoes = new Set<unknown>([
  'instructions',
  'input',
  'metadata',
  'prompt',
  'prompt_cache_key',
  'reasoning',
  'safety_identifier',
  'text',
  'tool_choice',
  'tools',
  'user',
])
type Path = readonly (string | number)[]
export const isText = (path: Path): boolean => path.at(-1) === 'text'

const plain: WalkOptions = {
  isEcho: (path) => echoes.has(path[0]),
  noProbabilities: '[]',
}
const structured: WalkOptions = { ...plain, isJson: isText }
const answerOptions = (asJson: boolean) => (asJson ? structured : plain)
