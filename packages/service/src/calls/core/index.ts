export { type AdmitParts, admitAttempt } from './admission/admit-attempt.js'
export { admissionChecks, check, cutShortCheck } from './admission/checks.js'
export { guard } from './admission/guard.js'
export type { LimitClaims } from './admission/limit-claims.js'
export { createRateLimitReader } from './admission/rate-limit-status.js'
export { claimsOfKey, rateWindows } from './admission/rate-windows.js'
export { budgetExceeded, outcomeOf, type SizeAdvice, windowRefusal } from './admission/refusals.js'
export { createUsageLoader } from './admission/usage-loader.js'
export { rateLimitHeaderSchemas, receiptHeaderSchemas } from './answer/header-schemas.js'
export { rateLimitHeaders, receiptHeaders } from './answer/headers.js'
export type {
  AdmissionSteps,
  AnswerSteps,
  AttemptResult,
  CallKind,
  CallProgress,
  DecidedAttempt,
  EndedAttempt,
  EndSteps,
  Permission,
  PlannedCall,
} from './call-kind.js'
export type { CallTrace } from './call-trace.js'
export { type LocatedFinding, NumberedTexts } from './numbered-texts.js'
export { endAttempt, type PipelineParts, planCall, runCall } from './pipeline.js'
export { requireRecord } from './record-receipt.js'
export { type CallLabels, readCallLabels } from './request/call-labels.js'
export {
  commitTo,
  commitYielding,
  newCommitmentKey,
  updateYielding,
} from './request/commitment.js'
export { checkAnnouncedLength, maxBodyBytes, readBody, tooLarge } from './request/read-body.js'
export { StreamCommitment } from './request/stream-commitment.js'
export { createRevocations, type Revocations } from './revocations.js'
export { createShutdownSignal, type ShutdownSignal } from './shutdown-signal.js'
export { eachStage, type StageName, type Stages, stageEndsOf, startStages } from './stages.js'
