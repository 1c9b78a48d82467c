import { isatty } from 'node:tty'

export interface ReloadSignal {
  /** Asks for a reload as SIGHUP does. */
  request(): void
  /** Calls `reload` for each SIGHUP from now on, one at a time, and for one that arrived before. */
  serve(reload: () => Promise<void>): void
}

/**
 * Listens for SIGHUP, by which an operator asks to read the configuration again. A terminal that is closed sends it too; the process is
 * then asked to stop.
 */
export function listenForReload(): ReloadSignal {
  const hadTerminal = isatty(0)
  let reload: (() => Promise<void>) | null = null
  let isRequested = false
  let isRunning = false

  async function run(): Promise<void> {
    if (reload === null || isRunning) return
    isRunning = true
    while (isRequested) {
      isRequested = false
      await reload()
    }
    isRunning = false
  }

  process.on('SIGHUP', () => {
    if (hadTerminal && !isatty(0)) {
      process.kill(process.pid, 'SIGTERM')
      return
    }
    request()
  })
  function request(): void {
    isRequested = true
    void run()
  }
  return {
    request,
    serve(handler) {
      reload = handler
      void run()
    },
  }
}
