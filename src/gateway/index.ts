export { createAdmissionTruth } from './admission-truth.js'
export { createEvaluator } from './judged/evaluate.js'
export { registerGateway } from './routes.js'
