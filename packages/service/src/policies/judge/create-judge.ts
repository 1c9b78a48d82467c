import type { Selection } from '../sets/compile-set.js'
import type { AnswerOptions } from './answer-options.js'
import { AnswerJudge } from './judge-answer.js'
import type { JudgedCall } from './judge-call.js'
import { type JudgeDependencies, judgeRequest, type RequestVerdict } from './judge-request.js'
import type { TextSource } from './judge-texts.js'

/** Judges calls by policies: first the request, then the answer if the request was allowed. */
export interface PolicyJudge {
  judgeRequest(selection: Selection, call: JudgedCall, source: TextSource): Promise<RequestVerdict>
  /** Returns null if no policy judges the answer and nothing must be restored in it. */
  createAnswerJudge(
    selection: Selection,
    call: JudgedCall,
    verdict: RequestVerdict,
    isInRequest: AnswerOptions['isInRequest'],
  ): AnswerJudge | null
}

export function createPolicyJudge(
  options: JudgeDependencies & {
    /** How many characters of a stream are held back, because what follows may change the decision on them. */
    holdBackChars(): number
  },
): PolicyJudge {
  const { holdBackChars, ...dependencies } = options
  return {
    judgeRequest: (selection, call, source) => judgeRequest(selection, call, source, dependencies),
    createAnswerJudge({ output }, call, verdict, isInRequest) {
      if (output.all.length === 0 && !verdict.redactions.canRestore) return null
      return new AnswerJudge({
        policies: output,
        call,
        verdict,
        dependencies,
        isInRequest,
        holdBackChars: holdBackChars(),
      })
    },
  }
}
