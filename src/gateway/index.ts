export { createAdmissionTruth } from './admission-truth.js'
export { createEvaluator } from './evaluate.js'
export { registerGateway } from './routes.js'
