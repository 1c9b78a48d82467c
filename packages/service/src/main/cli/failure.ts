import { writeSync } from 'node:fs'
import { ConfigError } from '../../config/index.js'
import { SchemaError } from '../../db/index.js'
import { createLog } from '../../observability/index.js'
import { messageOf } from '../../shared/error-message.js'
import { ApiError } from '../../shared/errors.js'
import { UnavailableServers } from '../infrastructure/check-servers.js'
import { UsageError } from './arguments.js'

export interface Failure {
  text: string
  /** 2 for an error in the command or the settings, 1 for everything else. */
  exitCode: 1 | 2
  /** Each fault on its own, where there may be several. */
  faults?: readonly string[]
}

/** Describes a failure. Only unexpected errors include a stack. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError) return { text: `${error.message}\nUsage: tallystick --help`, exitCode: 2 }
  if (error instanceof ConfigError) return { text: error.message, exitCode: 2, faults: error.faults }
  if (error instanceof UnavailableServers) return { text: error.message, exitCode: 1, faults: error.faults }
  if (error instanceof ApiError || error instanceof SchemaError) return { text: error.message, exitCode: 1 }
  if (!(error instanceof Error)) return { text: String(error), exitCode: 1 }
  // Errors of the system (ECONNREFUSED) or the database (28P01) need only their message.
  const isOutside = 'code' in error || error instanceof AggregateError
  const text = isOutside ? `Failed: ${messageOf(error)}` : withCauses(error)
  return { text, exitCode: 1 }
}

/** Prints a failure to standard error. A service whose logs are JSON prints one JSON line, which has each fault in `faults`. */
export function printFailure({ text, faults }: Omit<Failure, 'exitCode'>, isJson: boolean): void {
  if (!isJson) {
    console.error(text)
    return
  }
  const log = createLog({
    ...{ level: 'fatal', format: 'json' },
    destination: { write: (line) => void writeSync(2, line) },
  })
  if (faults === undefined) log.general.fatal(text)
  else log.general.fatal({ faults }, (text.split('\n')[0] ?? '').replace(/:$/, ''))
  log.close()
}

function withCauses(error: Error): string {
  const cause = error.cause instanceof Error ? `\nbecause: ${messageOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}
