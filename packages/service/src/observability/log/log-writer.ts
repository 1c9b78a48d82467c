import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'

/** Writes lines to a file descriptor. The service never waits for the reader. */
export interface LogWriter {
  write(line: string): void
  /** Writes the waiting lines. Waits briefly for a slow reader. */
  close(): void
}

export interface LogWriterOptions {
  fd?: number
  maxWaitingChars?: number
  /** Returns a line that states how many lines were lost. */
  describeLost(lines: number): string
}

// A pipe accepts up to this many bytes atomically, so that lines of several processes are not mixed.
const pipeBytes = 4_096
const retryMs = 20
const closeMs = 1_000

/**
 * Collects lines and writes them at the end of the current iteration of the event loop, as many as fit in one system call. Nothing waits in
 * another thread, so that all lines can be written when the process exits. A pipe whose reader has stopped does not stop the service,
 * because it is reopened as non-blocking. Beyond a bound, lines are dropped and counted.
 */
export function createLogWriter({
  fd = 1,
  maxWaitingChars = 8 * 1024 * 1024,
  describeLost,
}: LogWriterOptions): LogWriter {
  const target = openForWriting(fd)
  /** The rest of a line that was written in part. */
  let rest: Buffer | null = null
  // Bounded: 8 Mi characters; what does not fit is counted.
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

  /** Returns false when the reader accepts no more for now. */
  function drain(): boolean {
    for (;;) {
      rest ??= takeNext()
      if (rest === null) return true
      try {
        rest = rest.subarray(writeSync(target.fd, rest))
        if (rest.length === 0) rest = null
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false
        // There is no reader any more, or the disk is full, so the failure cannot be reported.
        rest = null
        // Bounded: 8 Mi characters; what does not fit is counted.
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
    const text = lines.splice(0, count).join('')
    waitingChars = Math.max(0, waitingChars - text.length)
    return Buffer.from(text)
  }

  const close = () => {
    const endsMs = performance.now() + closeMs
    while (!drain() && performance.now() < endsMs)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  }
  // This covers signals, uncaught errors and `process.exit`.
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

/** Opens a non-blocking pipe if the system allows it; otherwise returns the descriptor itself. */
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
