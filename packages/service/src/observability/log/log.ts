import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { CallSummary } from '../call-summary.js'
import { classifyCall, type Level, writeCallLine } from './call-line.js'
import { createIsoClock } from './iso-clock.js'
import { createLineLimiter } from './line-limiter.js'
import { adviceFor, describeError } from './log-error.js'
import { prettify } from './log-pretty.js'
import { isLogField } from './log-table.js'
import { clip, oneLine, withoutKeys } from './log-text.js'
import { createLogWriter } from './log-writer.js'

export interface LogOptions {
  level: string
  /** `auto` means `pretty` at a terminal and `json` otherwise. */
  format: 'auto' | 'json' | 'pretty'
  /** Whether the terminal shows colours. */
  isColoured?: boolean
  /** Replaces the standard output. */
  destination?: { write(line: string): void }
}

export interface Log {
  /** The logger for everything but calls. Repeated lines are omitted and counted. */
  general: Logger
  /** Returns the error handler of a background worker, whose work is retried automatically. */
  failed(work: string): (error: unknown) => void
  /** Writes the line of an admitted call. It is never omitted, because each such call has a receipt. */
  call(summary: CallSummary): void
  /** Writes the line of a refused call. Repeated lines of one caller are limited per minute and counted. */
  refused(summary: CallSummary): void
  /** Returns false when lines of this level are not written. */
  writes(level: 'info' | 'error'): boolean
  setLevel(level: string): void
  /** Passes every line on, as JSON, from now on. Null ends that. */
  mirrorTo(mirror: ((line: string) => void) | null): void
  close(): void
}

/** How many similar lines are written per minute. */
const maxPerMinute = 10
const maxTextChars = 1_000

/** Whether lines are for readers at a terminal; JSON otherwise. */
export const isPretty = (format: LogOptions['format']): boolean =>
  format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true)

export function createLog({ level, format, isColoured = false, destination }: LogOptions): Log {
  const writer = destination
    ? { write: (line: string) => destination.write(line), close: () => undefined }
    : createLogWriter({ describeLost: (lost) => lostLine(lost) })
  const isTerminal = !destination && process.stdout.isTTY === true
  const isShapedForReaders = destination ? format === 'pretty' : isPretty(format)
  const shape = (json: string) =>
    isShapedForReaders ? prettify(json, isColoured && isTerminal) : `${oneLine(json.trimEnd())}\n`
  const write = (line: string) => writer.write(withoutKeys(line))
  let mirror: ((line: string) => void) | null = null
  const stream: DestinationStream = {
    write(json) {
      write(shape(json))
      mirror?.(withoutKeys(json))
    },
  }
  const base = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  let current = level
  const isEnabled = (at: Level) =>
    (pino.levels.values[at] ?? 0) >= (pino.levels.values[current] ?? Number.POSITIVE_INFINITY)
  const readEnabled = () => ({ info: isEnabled('info'), warn: isEnabled('warn'), error: isEnabled('error') })
  let enabled = readEnabled()
  const clock = createIsoClock()
  const origin = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`
  const writeCall = (summary: CallSummary, at: Level, msg: string) => {
    const line = writeCallLine(summary, at, msg, `"time":"${clock()}",${origin}`)
    write(isShapedForReaders ? prettify(line, isColoured && isTerminal) : line)
    mirror?.(withoutKeys(line))
  }
  const plain = pino(base, stream)
  const limiter = createLineLimiter(maxPerMinute)

  const general = pino(
    {
      ...base,
      formatters: { ...base.formatters, log: keepKnown },
      serializers: { err: describeError },
      hooks: {
        logMethod(args, method, number) {
          const { fields, msg } = readArguments(args)
          const key = `${number} ${msg.replaceAll(/\d+/g, '#').slice(0, 100)} ${failureOf(fields)}`
          const writeSummary = (heldBack: number) => method.apply(this, [{ heldBack }, msg])
          if (limiter.admit(key, () => writeSummary)) method.apply(this, [fields, msg])
        },
      },
    },
    stream,
  )

  const onCrash = (error: Error) =>
    general.fatal(
      { err: error },
      'an unexpected error ends this process: report this line; the next process records open calls as interrupted',
    )
  if (!destination) process.on('uncaughtExceptionMonitor', onCrash)

  function lostLine(lost: number): string {
    const line = { level: 'warn', time: new Date().toISOString(), pid: process.pid, lost }
    const msg =
      'log lines were lost because the reader of the log is too slow: speed up the log collector, or raise the log level'
    return shape(JSON.stringify({ ...line, msg }))
  }

  return {
    general,
    failed: (work) => (error) =>
      general.error({ err: error, work, advice: adviceFor(error) }, `${work} failed; it will be retried`),
    call(summary) {
      const { level: at, msg } = classifyCall(summary)
      if (enabled[at]) writeCall(summary, at, msg)
    },
    refused(summary) {
      const { level: at, msg } = classifyCall(summary)
      if (!enabled[at]) return
      const { tenant, key, endpoint, error } = summary
      const reportRepeats = () => (heldBack: number) =>
        plain[at](
          { heldBack, tenant, key, endpoint, error: error?.type },
          `${msg}, repeatedly: same key, same error`,
        )
      if (limiter.admit(`${tenant} ${key} ${error?.type}`, reportRepeats)) writeCall(summary, at, msg)
    },
    writes: (at) => enabled[at],
    setLevel(next) {
      current = next
      enabled = readEnabled()
      general.level = next
      plain.level = next
    },
    mirrorTo(next) {
      mirror = next
    },
    close() {
      process.off('uncaughtExceptionMonitor', onCrash)
      limiter.close()
      writer.close()
    },
  }
}

function readArguments([first, second]: readonly unknown[]): { fields: object; msg: string } {
  const message =
    typeof first === 'string' ? first : (second ?? (first instanceof Error ? first.message : ''))
  const msg = clip(String(message), maxTextChars)
  if (first instanceof Error) return { fields: { err: first }, msg }
  return { fields: typeof first === 'object' && first !== null ? first : {}, msg }
}

/** Keeps the fields of the table, and shortens texts. */
function keepKnown(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (!isLogField(name)) continue
    kept[name] = typeof value === 'string' ? clip(value, maxTextChars) : value
  }
  return kept
}

function failureOf(fields: object): string {
  if (!('err' in fields)) return ''
  const { code = '', message } = describeError(fields.err)
  return `${'work' in fields ? String(fields.work) : ''} ${code} ${message.replaceAll(/\d+/g, '#').slice(0, 80)}`
}
