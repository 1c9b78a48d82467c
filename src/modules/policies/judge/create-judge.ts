import type { Selection } from '../compile-set.js'
import type { AnswerOptions } from './answer-options.js'
import { AnswerJudge } from './judge-answer.js'
import type { JudgedCall } from './judge-call.js'
import { type JudgeParts, judgeRequest, type RequestRuling } from './judge-request.js'
import type { TextSource } from './judge-texts.js'

/** Judges calls by policies: requests first, then the answers to those that were let through. */
export interface PolicyJudge {
  judgeRequest(selection: Selection, call: JudgedCall, source: TextSource): Promise<RequestRuling>
  /** Null if no policy judges the answer and nothing is to be restored in it. */
  createAnswerJudge(
    selection: Selection,
    call: JudgedCall,
    ruling: RequestRuling,
    isAsked: AnswerOptions['isAsked'],
  ): AnswerJudge | null
}

export function createPolicyJudge(
  options: JudgeParts & {
    /** How many characters of a stream wait for what may follow them. */
    holdBackChars: number
  },
): PolicyJudge {
  const { holdBackChars, ...parts } = options
  return {
    judgeRequest: (selection, call, source) => judgeRequest(selection, call, source, parts),
    createAnswerJudge({ output }, call, ruling, isAsked) {
      if (output.all.length === 0 && !ruling.redactions.canRestore) return null
      return new AnswerJudge({ policies: output, call, ruling, parts, isAsked, holdBackChars })
    },
  }
}
