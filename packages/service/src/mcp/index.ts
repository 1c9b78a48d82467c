export type { FinishedToolAttempt, RefusedTool } from '../calls/tool/index.js'
