import type { LogFormat } from '../../../config/index.js'
import { isPretty, writeLogLine } from '../../../observability/index.js'

/**
 * Prints the text, or the messages as lines of the log when it is JSON, so that one program can read every line of `serve`. What it
 * says is printed at every log level.
 */
export function announce(format: LogFormat, text: string, messages: readonly string[] = [text]): void {
  process.stdout.write(
    isPretty(format) ? `${text}\n` : messages.map((msg) => writeLogLine('info', msg)).join(''),
  )
}

/** Makes warnings of Node, such as those of deprecated functions, lines of a JSON log instead of text. */
export function announceWarnings(): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    process.stderr.write(writeLogLine('warn', `${name}: ${message}`))
  })
}
