export type { FinishedTool, RefusedTool } from './call/contract.js'
