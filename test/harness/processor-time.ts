// How long we work, not how long we wait for a processor: a busy machine makes no code slower by this clock. Threads of the
// runtime are counted too, so that what is measured is never less than what the code took.

/** The milliseconds of processor time since a moment that `process.cpuUsage()` gave. */
export function processorMsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1_000
}

/** The longest that this thread kept its timers waiting with work of its own while something was done. */
export async function longestStallMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let beforeMs = performance.now()
  let before = process.cpuUsage()
  const timer = setInterval(() => {
    longest = Math.max(longest, Math.min(performance.now() - beforeMs, processorMsSince(before)))
    beforeMs = performance.now()
    before = process.cpuUsage()
  }, 1)
  await work()
  clearInterval(timer)
  return longest
}
