const windowMs = 60_000
const maxKeys = 1_000

interface Count {
  passed: number
  heldBack: number
}

export interface Flood {
  /** False when the line is to be left out: too many like it were written during this minute. */
  admit(key: string, summary: () => (heldBack: number) => void): boolean
  /** Writes what was left out so far. */
  close(): void
}

/**
 * Holds back lines that say the same as others of this minute. What was left out is counted, and said in one line at the end
 * of the minute. A caller cannot make keys without end: when there are too many, the rest share one.
 */
export function createFlood(maxPerMinute: number): Flood {
  const counts = new Map<string, Count & { say: ((heldBack: number) => void) | null }>()
  let timer: NodeJS.Timeout | null = null

  function sayAll(): void {
    timer = null
    const ended = [...counts.values()]
    counts.clear()
    for (const { heldBack, say } of ended) if (heldBack > 0) say?.(heldBack)
  }

  return {
    admit(given, summary) {
      const key = counts.has(given) || counts.size < maxKeys ? given : ''
      let count = counts.get(key)
      if (count === undefined) {
        count = { passed: 0, heldBack: 0, say: null }
        counts.set(key, count)
        timer ??= setTimeout(sayAll, windowMs).unref()
      }
      if (count.passed < maxPerMinute) {
        count.passed++
        return true
      }
      count.heldBack++
      count.say ??= summary()
      return false
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      sayAll()
    },
  }
}
