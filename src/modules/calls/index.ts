export { projectCallCorrection, projectCalls } from './projection.js'
