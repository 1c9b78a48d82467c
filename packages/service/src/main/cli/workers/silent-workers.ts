import type { Worker } from 'node:cluster'
import type { Config } from '../../../config/index.js'

const checksPerSilence = 4
// It sends a message twice in the time of one check.
const quietChecks = 2

type Silence = Pick<Config, 'workerSilenceMs'>

/** Returns how often a worker reports that its event loop runs. */
export const aliveEveryMs = ({ workerSilenceMs }: Silence): number =>
  workerSilenceMs === 0 ? 60_000 : Math.max(workerSilenceMs / (checksPerSilence * 2), 50)

/**
 * Kills a worker that sends no message for too long. It counts checks instead of time: if this process was paused too, the messages that
 * arrived in the meantime are read before the next check. `onQuiet` is called before, when a worker seems to hang, and when it does not.
 */
export function killWhenSilent(
  worker: Worker,
  { workerSilenceMs }: Silence,
  { onQuiet, onSilent }: { onQuiet(isQuiet: boolean): void; onSilent(): void },
) {
  let silentChecks = 0
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    if (++silentChecks === quietChecks) onQuiet(true)
    if (silentChecks <= checksPerSilence) return
    clearInterval(timer)
    onSilent()
    // A worker whose event loop is blocked does not react to SIGTERM.
    worker.process.kill('SIGKILL')
  }

  return {
    /** Starts checking. Called once the worker listens, because its start keeps it busy for seconds. */
    start(): void {
      if (workerSilenceMs > 0) timer = setInterval(check, workerSilenceMs / checksPerSilence)
    },
    onMessage(): void {
      if (silentChecks >= quietChecks) onQuiet(false)
      silentChecks = 0
    },
    close: () => clearInterval(timer),
  }
}
