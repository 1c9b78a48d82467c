import { useState } from 'react'

/** Whether it was true at any time since the component is there. */
export function useEver(condition: boolean): boolean {
  const [wasEver, setEver] = useState(condition)
  if (condition && !wasEver) setEver(true)
  return wasEver || condition
}
