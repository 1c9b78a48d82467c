import type { PolicyGroup } from '../policy-group.js'
import type { JudgedCall } from './judge-call.js'
import type { JudgeParts, RequestRuling } from './judge-request.js'
import { isNameOfModel, type JudgedText } from './judged-text.js'

/** What is needed to judge an answer. */
export interface AnswerOptions {
  policies: PolicyGroup
  call: JudgedCall
  ruling: RequestRuling
  parts: JudgeParts
  /** Whether the request says this too. Only then may an answer repeat it unjudged. */
  isAsked(text: string): boolean
  /** How many characters of a stream wait for what may follow them. */
  holdBackChars: number
}

/** Whether a text of the answer is not the model's own. */
export const isEcho = (text: JudgedText, { call, isAsked }: AnswerOptions): boolean =>
  text.isEcho === true ? isAsked(text.text) : isNameOfModel(text, call.modelNames)
