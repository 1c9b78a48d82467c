export { recordInterrupted } from './interrupted.js'
export { closeCalls, createOpenCalls, type OpenCalls } from './open-calls.js'
export { joinProcesses } from './processes.js'
export { type CallUnderWay, type EndedCalls, readRecentCalls } from './recent-calls.js'
