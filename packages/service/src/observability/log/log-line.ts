import { hostname } from 'node:os'
import { oneLine } from './log-text.js'

/**
 * Returns a line of the form of the log, for what is printed at every level and as it is: the log writes no keys, and the first key of
 * a new database is printed.
 */
export function writeLogLine(level: 'info' | 'warn' | 'fatal', msg: string): string {
  const line = { level, time: new Date().toISOString(), pid: process.pid, hostname: hostname(), msg }
  return `${oneLine(JSON.stringify(line))}\n`
}
