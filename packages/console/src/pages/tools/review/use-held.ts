import { useState } from 'react'
import type { Tool } from '../use-servers'

/**
 * Tools as they were when they came into view. A definition never changes under the eyes of who reads it: what the server lists by now
 * is shown when asked for, so that nobody approves what they have not seen.
 */
export function useHeld(tools: readonly Tool[], max = 1) {
  const [held, setHeld] = useState(() => tools.slice(0, max))
  const newest = new Map(tools.map((tool) => [tool.name, tool]))
  const isOutdated = ({ name, hash }: Tool) => (newest.get(name)?.hash ?? hash) !== hash
  return {
    /** The state is the newest, the definition the one in view. What is no longer among them is left out. */
    shown: held.flatMap((tool) => {
      const now = newest.get(tool.name)
      return now === undefined ? [] : isOutdated(tool) ? tool : now
    }),
    isOutdated,
    renew: () => setHeld(tools.slice(0, max)),
  }
}
