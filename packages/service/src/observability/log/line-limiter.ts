const windowMs = 60_000
const maxKeys = 1_000

interface Count {
  passed: number
  heldBack: number
}

export interface LineLimiter {
  /** Returns false when the line must be omitted, because too many similar lines were written during this minute. */
  admit(key: string, summary: () => (heldBack: number) => void): boolean
  /** Writes the counts of the lines that were omitted so far. */
  close(): void
}

/**
 * Omits lines that repeat others of the same minute. They are counted, and the count is written in one line at the end of the minute. The
 * number of keys is bounded: when there are too many, the rest share one.
 */
export function createLineLimiter(maxPerMinute: number): LineLimiter {
  // Bounded: `maxKeys` within a minute; the rest share one.
  const counts = new Map<string, Count & { writeSummary: ((heldBack: number) => void) | null }>()
  let timer: NodeJS.Timeout | null = null

  function writeAllCounts(): void {
    timer = null
    const ended = [...counts.values()]
    counts.clear()
    for (const { heldBack, writeSummary } of ended) if (heldBack > 0) writeSummary?.(heldBack)
  }

  return {
    admit(given, summary) {
      const key = counts.has(given) || counts.size < maxKeys ? given : ''
      let count = counts.get(key)
      if (count === undefined) {
        count = { passed: 0, heldBack: 0, writeSummary: null }
        counts.set(key, count)
        timer ??= setTimeout(writeAllCounts, windowMs).unref()
      }
      if (count.passed < maxPerMinute) {
        count.passed++
        return true
      }
      count.heldBack++
      count.writeSummary ??= summary()
      return false
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      writeAllCounts()
    },
  }
}
