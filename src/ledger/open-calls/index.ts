export { recordInterrupted } from './interrupted.js'
export { closeCalls, createOpenCalls, type OpenCall, type OpenCalls } from './open-calls.js'
export { joinProcesses, type Processes } from './processes.js'
export { type CallUnderWay, type EndedCalls, readRecentCalls } from './recent-calls.js'
