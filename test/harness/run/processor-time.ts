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

// What `referenceWork` took at its best, in the runner, on the machine where the bounds of the tests were measured.
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

// Processor time too is longer while a host takes it away. What these bounds are there to find, work that grows faster than its
// input, passes them many times over.
const margin = 3

/**
 * A bound for processor time, as large as it must be on this machine at this moment: what was measured on another is taken
 * times as long as a piece of fixed work takes longer here, and a margin.
 */
export function scaledMs(boundMs: number): number {
  // Fresh enough for a loop that asks for each of its rounds.
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
