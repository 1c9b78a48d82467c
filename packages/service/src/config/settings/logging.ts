import { createVariableReader, type ReadVariable } from './variables.js'

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]
const logFormats = ['auto', 'json', 'pretty'] as const
export type LogFormat = (typeof logFormats)[number]

export function readLogging(
  read: ReadVariable,
  faults: string[],
): { logLevel: LogLevel; logFormat: LogFormat; logColour: boolean } {
  const logLevel = logLevels.find((level) => level === (read('TALLYSTICK_LOG_LEVEL') ?? 'info'))
  if (!logLevel) faults.push(`TALLYSTICK_LOG_LEVEL: must be one of ${logLevels.join(', ')}`)
  const logFormat = logFormats.find((format) => format === (read('TALLYSTICK_LOG_FORMAT') ?? 'auto'))
  if (!logFormat) faults.push(`TALLYSTICK_LOG_FORMAT: must be one of ${logFormats.join(', ')}`)
  return {
    logLevel: logLevel ?? 'info',
    logFormat: logFormat ?? 'auto',
    // https://no-color.org
    logColour: read('NO_COLOR') === null,
  }
}

/** Reads how logs are written, for a report about other settings. */
export const readLogFormat = (env: Readonly<Record<string, string | undefined>>, cwd: string): LogFormat =>
  readLogging(createVariableReader(env, cwd, []), []).logFormat
