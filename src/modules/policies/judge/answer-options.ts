import type { CompiledPolicy } from '../compile-set.js'
import type { JudgedCall } from './judge-call.js'
import type { JudgeParts, RequestRuling } from './judge-request.js'

/** What judging an answer takes. */
export interface AnswerOptions {
  policies: readonly CompiledPolicy[]
  call: JudgedCall
  ruling: RequestRuling
  parts: JudgeParts
  /** How many characters of a stream wait for what may follow them. */
  holdBackChars: number
}
