import type { Worker } from 'node:cluster'
import type { Config } from '../config/index.js'

const looksPerSilence = 4

type Silence = Pick<Config, 'workerSilenceMs'>

/** How often a worker says that its event loop turns. */
export const aliveEveryMs = ({ workerSilenceMs }: Silence): number =>
  workerSilenceMs === 0 ? 60_000 : Math.max(workerSilenceMs / (looksPerSilence * 2), 50)

/**
 * Kills a worker that says nothing for too long. Looks are counted, not time: where this process was paused as well, what the workers
 * said meanwhile is read before the next look.
 */
export function killWhenSilent(worker: Worker, { workerSilenceMs }: Silence, onSilent: () => void) {
  let silentLooks = 0
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    if (++silentLooks <= looksPerSilence) return
    clearInterval(timer)
    onSilent()
    // Not SIGTERM: nothing in it would hear that.
    worker.process.kill('SIGKILL')
  }

  return {
    /** Once it listens: while it starts it is busy for seconds. */
    begin(): void {
      if (workerSilenceMs > 0) timer = setInterval(look, workerSilenceMs / looksPerSilence)
    },
    heard(): void {
      silentLooks = 0
    },
    close: () => clearInterval(timer),
  }
}
