export { createPolicyChecks } from './check-policy.js'
export { policyDependents } from './dependents.js'
export { createPolicyJudge, type PolicyJudge } from './judge/create-judge.js'
export { textsInBytes } from './judge/decode/decode-bytes.js'
export type { AnswerJudge } from './judge/judge-answer.js'
export type { JudgedCall } from './judge/judge-call.js'
export type { TextFinding } from './judge/judge-texts.js'
export { createHttpAsker } from './judge/services/ask-over-http.js'
export type { StreamJudge, TextSpan } from './judge/stream-judge.js'
export { hasModel } from './kinds/model-lists.js'
export { matchesName } from './kinds/name-pattern.js'
export { createPolicy } from './manage.js'
export { registerPolicyRoutes } from './routes.js'
export {
  createServiceSecrets,
  listUndecryptablePolicies,
  type ServiceSecrets,
} from './service-secret.js'
export {
  blocksModel,
  blocksTool,
  grantsTool,
  modelPoliciesOf,
  readsInputTokens,
  type Selection,
  textPoliciesOf,
  toolPoliciesOf,
} from './sets/compile-set.js'
export { noPolicies } from './sets/policy-group.js'
export { createPolicySets, type PolicySets, policySetHash } from './sets/policy-set.js'
export { selectDraft } from './sets/select-draft.js'
export type { PolicyDraft, PolicyTrial, PolicyTrialResult } from './trial-schema.js'
