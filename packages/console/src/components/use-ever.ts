import { useState } from 'react'

/** Whether the condition has been true at any time since the component was mounted. */
export function useEver(condition: boolean): boolean {
  const [wasEver, setEver] = useState(condition)
  if (condition && !wasEver) setEver(true)
  return wasEver || condition
}
