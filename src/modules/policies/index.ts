export { createPolicySets, type PolicySets } from './policy-set.js'
export { registerPolicyRoutes } from './routes.js'
