export { createTracing, type Tracing } from './tracing.js'
