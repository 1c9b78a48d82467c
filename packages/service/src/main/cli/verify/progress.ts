import type { WriteStream } from 'node:tty'
import type { Progress } from '@tallystick/record/verify'

const firstShownAfterMs = 500
const redrawMs = 100
const width = 30

/** Shows the progress of a long check in one line, at most every 100 ms. Only a terminal gets it, so that it does not fill logs. */
export function createProgress(terminal: WriteStream, shareRead: () => number | null): Progress {
  if (!terminal.isTTY) return { show: () => undefined, clear: () => undefined }
  const startedMs = performance.now()
  let shownMs = 0
  return {
    show(seq) {
      const nowMs = performance.now()
      if (nowMs - startedMs < firstShownAfterMs || nowMs - shownMs < redrawMs) return
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
