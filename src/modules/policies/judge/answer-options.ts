import type { PolicyGroup } from '../policy-group.js'
import type { JudgedCall } from './judge-call.js'
import type { JudgeParts, RequestRuling } from './judge-request.js'

/** What is needed to judge an answer. */
export interface AnswerOptions {
  policies: PolicyGroup
  call: JudgedCall
  ruling: RequestRuling
  parts: JudgeParts
  /** How many characters of a stream wait for what may follow them. */
  holdBackChars: number
}
