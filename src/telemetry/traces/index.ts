export type { CallTrace } from './call-trace.js'
export { createTracing, type Tracing } from './tracing.js'
