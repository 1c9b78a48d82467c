import { useState } from 'react'
import type { Tool } from '../use-servers'

/**
 * Keeps the definitions that the user is reviewing. If the server lists newer ones in the meantime, they are shown on request, so that
 * nobody approves a definition that they have not seen.
 */
export function useReviewedTools(tools: readonly Tool[], max = 1) {
  const [reviewed, setReviewed] = useState(() => tools.slice(0, max))
  const newest = new Map(tools.map((tool) => [tool.name, tool]))
  const isOutdated = ({ name, hash }: Tool) => (newest.get(name)?.hash ?? hash) !== hash
  return {
    /** State is current; the definition is the one under review. Tools that are no longer in the list are left out. */
    shown: reviewed.flatMap((tool) => {
      const now = newest.get(tool.name)
      return now === undefined ? [] : isOutdated(tool) ? tool : now
    }),
    isOutdated,
    showCurrent: () => setReviewed(tools.slice(0, max)),
  }
}
