import { ConfigError } from '../../config/index.js'
import { SchemaError } from '../../db/index.js'
import { ApiError } from '../../shared/errors.js'
import { UsageError } from './arguments.js'

export interface Failure {
  text: string
  /** 2 for an error in the command or the settings, 1 for everything else. */
  exitCode: 1 | 2
}

/** Describes a failure. Only unexpected errors include a stack. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError) return { text: `${error.message}\nUsage: tallystick --help`, exitCode: 2 }
  if (error instanceof ConfigError) return { text: error.message, exitCode: 2 }
  if (error instanceof ApiError || error instanceof SchemaError) return { text: error.message, exitCode: 1 }
  if (!(error instanceof Error)) return { text: String(error), exitCode: 1 }
  // Errors of the system (ECONNREFUSED) or the database (28P01) need only their message.
  const isOutside = 'code' in error || error instanceof AggregateError
  const text = isOutside ? `Failed: ${messageOf(error)}` : withCauses(error)
  return { text, exitCode: 1 }
}

/** A host name with several addresses fails with one error for each, and an empty message. */
function messageOf(error: Error): string {
  if (error instanceof AggregateError)
    return error.errors.map((each) => (each instanceof Error ? each.message : String(each))).join('; ')
  return error.message
}

function withCauses(error: Error): string {
  const cause = error.cause instanceof Error ? `\nbecause: ${messageOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}
