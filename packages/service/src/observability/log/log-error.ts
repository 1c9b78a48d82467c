import { clip } from './log-text.js'

const maxMessageChars = 500
const maxFrames = 20
const maxCauses = 3

export interface LoggedError {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedError
}

/**
 * Returns the members of an error that may be logged. Others may quote rows and bodies (`detail` of the database), and so may the message
 * of a parser.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: clip(String(error), maxMessageChars) }
  const message = error instanceof SyntaxError ? 'a text could not be parsed' : error.message
  const described: LoggedError = {
    type: clip(error.name, 100),
    message: clip(message || codesOf(error), maxMessageChars),
  }
  if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number'))
    described.code = clip(String(error.code), 50)
  const frames = error.stack?.split('\n').filter((line) => /^ +at /.test(line))
  if (frames && frames.length > 0)
    described.stack = frames
      .slice(0, maxFrames)
      .map((line) => clip(line, 300))
      .join('\n')
  if (error.cause !== undefined && depth < maxCauses) described.cause = describeError(error.cause, depth + 1)
  return described
}

/** A host name with several addresses fails with one error for each, and an empty message. */
function codesOf(error: Error): string {
  if (!(error instanceof AggregateError)) return ''
  return error.errors.map((each) => (each instanceof Error ? each.message : String(each))).join('; ')
}

// SQLSTATE class 08, 53300 and 57P01-03, and socket errors.
const connectionCodes =
  /^(08|53300|57P0[1-3]|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/

/** Returns what an operator can do about a failure of background work, which is retried automatically. */
export function adviceFor(error: unknown): string {
  const { code = '', message } = describeError(error)
  if (code === 'ENOSPC' || code === '53100') return 'a disk is full: free some space'
  if (code === 'EACCES' || code === 'EPERM' || code === '42501')
    return 'this user has no permission there: check the owner of the data directory, and the rights of the database role'
  if (code.startsWith('28')) return 'the database refuses these credentials: check DATABASE_URL'
  if (code === '42P01' || code === '42703')
    return 'the database lacks a table or a column: another version of this program may have changed it'
  if (
    connectionCodes.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(message)
  )
    return 'the database or another service cannot be reached: nothing to do if this stops by itself; otherwise check that it runs'
  return 'nothing to do if this stops by itself; otherwise report this line'
}
