export { createPolicyChecks } from './check-policy.js'
export {
  blocksModel,
  blocksTool,
  grantsTool,
  modelPoliciesOf,
  type Selection,
  textPoliciesOf,
  toolPoliciesOf,
} from './compile-set.js'
export { policyDependents } from './dependents.js'
export { createHttpAsker } from './judge/ask-over-http.js'
export { createPolicyJudge, type PolicyJudge } from './judge/create-judge.js'
export { textsInBytes } from './judge/decode-bytes.js'
export type { AnswerJudge } from './judge/judge-answer.js'
export type { JudgedCall } from './judge/judge-call.js'
export type { TextFinding } from './judge/judge-texts.js'
export type { StreamJudge, TextSpan } from './judge/stream-judge.js'
export { hasModel } from './kinds/model-lists.js'
export { matchesName } from './kinds/name-pattern.js'
export { createPolicy } from './manage.js'
export { noPolicies } from './policy-group.js'
export { createPolicySets, type PolicySets, policySetHash } from './policy-set.js'
export { registerPolicyRoutes } from './routes.js'
export type { PolicyDraft, PolicyTrial, PolicyTrialResult } from './schema.js'
export { selectDraft } from './select-draft.js'
export {
  createServiceSecrets,
  listUndecryptablePolicies,
  type ServiceSecrets,
  sealGuardrailRoot,
} from './service-secret.js'
