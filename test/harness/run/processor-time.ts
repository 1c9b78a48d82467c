// Processor time instead of elapsed time, so that a busy machine does not make code look slower. Threads of the runtime are
// included, so that the measured time is never less than what the code took.

/** Returns the milliseconds of processor time since an earlier `process.cpuUsage()`. */
export function processorMsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1_000
}

/** Returns the longest time that work on this thread delayed its timers while a function ran. */
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

// The best time of `referenceWork` in the runner, on the machine on which the bounds of the tests were measured.
const referenceMs = 3

/** Work of the kind that detectors and parsers do: characters, comparisons, small objects. */
function referenceWork(): number {
  let found = 0
  const seen = new Map<number, number>()
  for (let at = 0; at < 400_000; at++) {
    const code = referenceText.charCodeAt(at & 0xffff)
    if (code > 0x60 && referenceText.charCodeAt((at + 7) & 0xffff) < code) found++
    if ((at & 0xff) === 0) seen.set(code ^ at, found)
  }
  return found + seen.size
}
const referenceText = 'The quick brown fox jumps over 13 lazy dogs. '.repeat(1_500)

// Processor time also grows while a host is overloaded. Work that grows faster than its input, which these bounds must find,
// exceeds them many times over.
const margin = 3

/**
 * Returns a bound for processor time that is adapted to this machine: the time that was measured elsewhere, scaled by how much
 * longer a fixed piece of work takes here, plus a margin.
 */
export function scaledMs(boundMs: number): number {
  // The scale is measured again after a while, because the load of the machine changes.
  if (performance.now() > measured.untilMs)
    measured = { slowness: measureSlowness(), untilMs: performance.now() + 2_000 }
  return boundMs * measured.slowness * margin
}

let measured = { slowness: 1, untilMs: Number.NEGATIVE_INFINITY }

function measureSlowness(): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 8; round++) {
    const begun = process.cpuUsage()
    referenceWork()
    best = Math.min(best, processorMsSince(begun))
  }
  return Math.max(1, best / referenceMs)
}
