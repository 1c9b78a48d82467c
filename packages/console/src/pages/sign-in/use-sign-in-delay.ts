import { useEffect, useState } from 'react'

/** Counts down the seconds until another sign-in attempt is allowed. */
export function useSignInDelay(firstSeconds: number | undefined) {
  const [until, setUntil] = useState(() =>
    firstSeconds === undefined ? null : Date.now() + firstSeconds * 1_000,
  )
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (until === null) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) setUntil(null)
    }, 1_000)
    return () => clearInterval(timer)
  }, [until])
  return {
    until: until === null ? null : new Date(until),
    secondsLeft: until === null ? 0 : Math.max(1, Math.ceil((until - now) / 1_000)),
    delay(seconds: number) {
      setNow(Date.now())
      setUntil(Date.now() + seconds * 1_000)
    },
  }
}
