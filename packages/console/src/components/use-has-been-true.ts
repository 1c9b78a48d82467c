import { useState } from 'react'

/** Whether the condition has been true at any time since the component was mounted. */
export function useHasBeenTrue(condition: boolean): boolean {
  const [hasBeenTrue, setHasBeenTrue] = useState(condition)
  if (condition && !hasBeenTrue) setHasBeenTrue(true)
  return hasBeenTrue || condition
}
