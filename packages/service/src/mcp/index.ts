export type { FinishedTool, RefusedTool } from '../calls/tool/index.js'
