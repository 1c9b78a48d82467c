import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { readDataAges, subscribeToDataAges } from '../api'
import { formatClock } from '../format'
import { useSpan } from '../time/use-span'

const shownAfterMs = 3_000
const refetchMs = 5_000

/** Says how old the data of the page are when a read replica is behind, and refetches them until they are not. */
export function DataAge() {
  const queries = useQueryClient()
  const { timeZone } = useSpan()
  const ages = useSyncExternalStore(subscribeToDataAges, readDataAges)
  const isActive = (path: string) =>
    queries.getQueryCache().findAll({ queryKey: [path], type: 'active' }).length > 0
  const old = [...ages].filter(([path]) => isActive(path))
  useEffect(() => {
    if (ages.size === 0) return undefined
    const timer = setTimeout(() => {
      for (const path of ages.keys()) void queries.invalidateQueries({ queryKey: [path] })
    }, refetchMs)
    return () => clearTimeout(timer)
  }, [ages, queries])
  const oldest = old.filter(([, { ageMs }]) => ageMs > shownAfterMs).map(([, { asOf }]) => asOf.getTime())
  if (oldest.length === 0) return null
  return (
    <span role="status" className="num text-xs text-ink-3">
      Data as of {formatClock(new Date(Math.min(...oldest)), timeZone)}
    </span>
  )
}
