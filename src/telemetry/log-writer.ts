import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'

/** Takes lines to a file descriptor. The service never waits for whoever reads them. */
export interface LogWriter {
  write(line: string): void
  /** Writes what is waiting. Gives a reader that is slow a moment. */
  close(): void
}

export interface LogWriterOptions {
  fd?: number
  maxWaitingChars?: number
  /** Makes a line that says how many were lost. */
  describeLost(lines: number): string
}

// What a pipe takes in one piece: lines of several processes do not get mixed up in it.
const pipeBytes = 4_096
const retryMs = 20
const closeMs = 1_000

/**
 * Lines are collected and written at the end of the turn of the event loop in which they came, in one system call for as many as
 * fit. Nothing waits in another thread, so that all of it can be
 * written when the process exits. A pipe whose reader has stopped does not stop the service: it is opened again as one
 * that does not block; beyond a bound, lines are lost, and the number of them is said.
 */
export function createLogWriter({
  fd = 1,
  maxWaitingChars = 8 * 1024 * 1024,
  describeLost,
}: LogWriterOptions): LogWriter {
  const target = openForWriting(fd)
  /** Bytes of a line of which a part was written. */
  let rest: Buffer | null = null
  let lines: string[] = []
  let waitingChars = 0
  let lost = 0
  let isScheduled = false
  let isClosed = false

  function write(line: string): void {
    if (isClosed) return
    if (waitingChars + line.length > maxWaitingChars) {
      lost++
      return
    }
    lines.push(line)
    waitingChars += line.length
    if (isScheduled) return
    isScheduled = true
    setImmediate(flush)
  }

  function flush(): void {
    isScheduled = false
    if (drain()) return
    isScheduled = true
    setTimeout(flush, retryMs).unref()
  }

  /** False when the reader takes no more for now. */
  function drain(): boolean {
    for (;;) {
      rest ??= takeNext()
      if (rest === null) return true
      try {
        rest = rest.subarray(writeSync(target.fd, rest))
        if (rest.length === 0) rest = null
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false
        // Nobody is left to read it, or the disk is full: there is no place to say so.
        rest = null
        lines = []
        waitingChars = 0
        return true
      }
    }
  }

  function takeNext(): Buffer | null {
    if (lost > 0) {
      lines.push(describeLost(lost))
      lost = 0
    }
    if (lines.length === 0) return null
    let count = 0
    let size = 0
    for (const line of lines) {
      const bytes = Buffer.byteLength(line)
      if (count > 0 && target.isPipe && size + bytes > pipeBytes) break
      size += bytes
      count++
    }
    const taken = lines.splice(0, count).join('')
    waitingChars = Math.max(0, waitingChars - taken.length)
    return Buffer.from(taken)
  }

  const close = () => {
    const endsMs = performance.now() + closeMs
    while (!drain() && performance.now() < endsMs)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  }
  // Whatever ends the process: a signal, an error that nobody caught, `process.exit`.
  process.on('exit', close)
  return {
    write,
    close() {
      close()
      isClosed = true
      process.off('exit', close)
      target.close()
    },
  }
}

interface Target {
  fd: number
  isPipe: boolean
  close(): void
}

/** A pipe of our own that does not block, where the system allows it; else the descriptor as it is. */
function openForWriting(fd: number): Target {
  const asIs = { fd, isPipe: false, close: () => undefined }
  try {
    if (!fstatSync(fd).isFIFO()) return asIs
  } catch {
    return asIs
  }
  try {
    const own = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
    return { fd: own, isPipe: true, close: () => closeSync(own) }
  } catch {
    return { ...asIs, isPipe: true }
  }
}
