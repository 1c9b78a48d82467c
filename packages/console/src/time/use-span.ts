import { useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { isRange, type Range, type Span, spanOf } from './span'
import { ownTimeZone } from './zone'

/** The search parameters for the time range, on every page. */
export interface TimeSearch {
  range?: Range
  /** A custom range in RFC 3339; it takes precedence over `range`. */
  from?: string
  to?: string
  /** A time zone other than the browser's. */
  tz?: string
}

export function readTimeSearch(search: Record<string, unknown>): TimeSearch {
  const read: TimeSearch = {}
  if (isRange(search.range)) read.range = search.range
  if (isMoment(search.from) && isMoment(search.to) && Date.parse(search.from) < Date.parse(search.to)) {
    read.from = search.from
    read.to = search.to
  }
  if (typeof search.tz === 'string' && isTimeZone(search.tz)) read.tz = search.tz
  return read
}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export interface ChosenSpan extends Span {
  /** Null for a custom range. */
  range: Range | null
  timeZone: string
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The range if the URL has none. A page without one has no time range. */
    defaultRange?: Range
  }
}

export function useDefaultRange(): Range | undefined {
  return useRouterState({
    select: ({ matches }) => matches.findLast(({ staticData }) => staticData.title)?.staticData.defaultRange,
  })
}

/** The time range and time zone from the URL or the page's default. */
export function useSpan(): ChosenSpan {
  const search: TimeSearch = useSearch({ strict: false })
  const fallback = useDefaultRange() ?? '7d'
  const minute = useMinute()
  const { from, to } = search
  const timeZone = search.tz ?? ownTimeZone
  const range = search.range ?? fallback
  return useMemo(() => {
    if (from !== undefined && to !== undefined)
      return { from: new Date(from), to: new Date(to), range: null, timeZone }
    return { ...spanOf(range, new Date(minute), timeZone), range, timeZone }
  }, [from, to, range, timeZone, minute])
}

export function useTimeZone(): string {
  const { tz }: TimeSearch = useSearch({ strict: false })
  return tz ?? ownTimeZone
}

/** The current minute in milliseconds. It is not updated in a hidden tab. */
function useMinute(): number {
  const [minute, setMinute] = useState(currentMinute)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setMinute(currentMinute())
    }, 5_000)
    return () => clearInterval(timer)
  }, [])
  return minute
}

const currentMinute = () => Math.floor(Date.now() / 60_000) * 60_000
