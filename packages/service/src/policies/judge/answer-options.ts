import type { PolicyGroup } from '../sets/policy-group.js'
import type { JudgedCall } from './judge-call.js'
import type { JudgeDependencies, RequestVerdict } from './judge-request.js'
import { isNameOfModel, type JudgedText } from './judged-text.js'

/** The options for judging an answer. */
export interface AnswerOptions {
  policies: PolicyGroup
  call: JudgedCall
  verdict: RequestVerdict
  dependencies: JudgeDependencies
  /** True when the request contains this text. Only then may an answer repeat it without being judged. */
  isInRequest(text: string): boolean
  /** How many characters of a stream are held back, because what follows may change the decision on them. */
  holdBackChars: number
}

/** True when a text of the answer repeats the request or names the model, so that it is not judged. */
export const isEcho = (text: JudgedText, { call, isInRequest }: AnswerOptions): boolean =>
  text.isEcho === true ? isInRequest(text.text) : isNameOfModel(text, call.modelNames)
