/** Ends the sleep of one loop early. A wake-up that comes while the loop is not asleep ends its next sleep at once. */
export interface WakeSignal {
  wake(): void
  sleep(maxMs: number): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let woken = false
  let endSleep = () => {}
  return {
    wake() {
      woken = true
      endSleep()
    },
    async sleep(maxMs) {
      if (!woken && maxMs > 0) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          endSleep = resolve
          timer = setTimeout(resolve, maxMs)
        })
        clearTimeout(timer)
      }
      woken = false
    },
  }
}
