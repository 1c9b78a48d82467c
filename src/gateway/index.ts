export { createAdmissionTruth } from './admission-truth.js'
export { createRevocations } from './attempt/revocations.js'
export { createEvaluator } from './evaluate.js'
export { registerGateway } from './routes.js'
