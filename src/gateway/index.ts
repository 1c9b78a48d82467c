export { createAdmissionTruth } from './admission-truth.js'
export { registerGateway } from './routes.js'
