import type { WriteStream } from 'node:tty'

/** A line that says how far a long check has come; on a terminal only, so that no log is filled with it. */
export interface Progress {
  /** To be called often; it looks at the clock by itself. */
  show(seq: number): void
  clear(): void
}

const silentMs = 500
const everyMs = 100
const width = 30

export function createProgress(terminal: WriteStream, shareRead: () => number | null): Progress {
  if (!terminal.isTTY) return { show: () => undefined, clear: () => undefined }
  const startedMs = performance.now()
  let shownMs = 0
  return {
    show(seq) {
      const nowMs = performance.now()
      if (nowMs - startedMs < silentMs || nowMs - shownMs < everyMs) return
      shownMs = nowMs
      terminal.write(`\r\u001b[K${drawBar(shareRead())}entry ${seq.toLocaleString('en')}`)
    },
    clear() {
      if (shownMs > 0) terminal.write('\r\u001b[K')
    },
  }
}

function drawBar(share: number | null): string {
  if (share === null) return ''
  return `[${'#'.repeat(Math.round(share * width)).padEnd(width)}] ${Math.floor(share * 100)} %  `
}
