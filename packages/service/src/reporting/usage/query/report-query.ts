import type { Static } from 'typebox'
import { costToNanos, type Owner } from '../../../http/index.js'
import { invalidField } from '../../../shared/errors.js'
import { calendarRanges, isCalendarRange, startOfUnit } from './calendar-ranges.js'
import { type Dimension, readGroupBy, type Selection } from './dimensions.js'
import type { UsageQuery } from './schema.js'
import {
  type Interval,
  intervalFor,
  isOver,
  maxPoints,
  type NamedSpan,
  nextStart,
  type Span,
  spanOf,
  split,
  TooManyPointsError,
} from './span.js'
import { isTimeZone, startOfDate, wallClockAt } from './time-zone.js'

export type UsageFilter = Static<typeof UsageQuery> & { tenantId: string; own: Owner | null }

/** A report request, parsed and checked. */
export interface ReportQuery {
  range: NamedSpan | null
  timeZone: string
  span: Span
  /** True when the span ends now because the request has no end. */
  isOpen: boolean
  /** True when the caller chose the interval. */
  hasInterval: boolean
  selection: Selection
  dimensions: Dimension[]
  /** How many groups have their own series; null if none were requested. */
  groupSeries: number | null
  /** The span that this one is compared with. */
  previous: { from: Date; to: Date } | null
}

export function parseReportQuery(query: UsageFilter, now: Date): ReportQuery {
  const { timeZone = 'UTC', groupBy = 'model', compare } = query
  if (!isTimeZone(timeZone))
    throw invalidField('timeZone', 'must be the name of a time zone, such as UTC or Europe/Berlin')
  const { range, span, isOpen } = readSpan(query, timeZone, now)
  return {
    range,
    timeZone,
    span,
    isOpen,
    hasInterval: query.interval !== undefined,
    selection: { tenantId: query.tenantId, own: query.own, filters: readFilters(query) },
    dimensions: readGroupBy(groupBy),
    groupSeries: query.groupSeries ?? null,
    previous: compare === undefined ? null : previousOf({ range, span, isOpen }, timeZone, now),
  }
}

type RequestedSpan = Pick<ReportQuery, 'range' | 'span' | 'isOpen'>

function readSpan(query: UsageFilter, timeZone: string, now: Date): RequestedSpan {
  try {
    return query.from === undefined && query.to === undefined
      ? readRange(query, timeZone, now)
      : readFromTo(query, timeZone, now)
  } catch (error) {
    if (!(error instanceof TooManyPointsError)) throw error
    throw invalidField(
      'interval',
      `makes more than ${maxPoints} points: choose a longer one, or a shorter span`,
    )
  }
}

function readRange({ range = '30d', interval }: UsageFilter, timeZone: string, now: Date): RequestedSpan {
  return { range, span: spanOf(range, now, timeZone, interval), isOpen: !isOver(range) }
}

function readFromTo(query: UsageFilter, timeZone: string, now: Date): RequestedSpan {
  if (query.range !== undefined) throw invalidField('range', 'cannot be combined with from and to')
  if (query.from === undefined) throw invalidField('from', 'is required with `to`')
  const fromMs = readTime('from', query.from, timeZone)
  if (query.to === undefined) {
    const nowMs = now.getTime()
    if (fromMs > nowMs) throw invalidField('from', 'must not be in the future without `to`')
    const interval = query.interval ?? intervalFor(fromMs, nowMs)
    const span = split(timeZone, interval, fromMs, nextStart(timeZone, interval, nowMs))
    return { range: null, span, isOpen: true }
  }
  const toMs = readTime('to', query.to, timeZone)
  if (toMs <= fromMs) throw invalidField('to', 'must be after `from`, because it is exclusive')
  const interval = query.interval ?? intervalFor(fromMs, toMs)
  return { range: null, span: split(timeZone, interval, fromMs, toMs), isOpen: false }
}

const earliestMs = Date.UTC(2000, 0, 1)
const latestMs = Date.UTC(2100, 0, 1)

/** Reads a time with its zone, or a date, which means midnight in the zone of the report. */
function readTime(path: string, text: string, timeZone: string): number {
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  const ms = date
    ? startOfDate(timeZone, Number(date[1]), Number(date[2]), Number(date[3]))
    : Date.parse(text)
  if (ms < earliestMs || ms > latestMs) throw invalidField(path, 'must be between 2000 and 2100')
  return ms
}

function readFilters(query: UsageFilter): Selection['filters'] {
  const { keyId, userId, teamId, provider, model, outcome, policyId, requestId, minCostUsd } = query
  const { session, route, agent, cache, batch, kind, server, tool } = query
  const tags = new Map<string, string>()
  for (const [name, value] of Object.entries(query))
    if (name.startsWith('tag.') && typeof value === 'string') tags.set(name.slice(4), value)
  return {
    ...(keyId !== undefined && { keyId }),
    ...(userId !== undefined && { userId }),
    ...(teamId !== undefined && { teamId }),
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(outcome !== undefined && { outcome }),
    ...(policyId !== undefined && { policyId }),
    ...(session !== undefined && { session }),
    ...(route !== undefined && { route }),
    ...(agent !== undefined && { agent }),
    ...(cache !== undefined && { cache }),
    ...(batch !== undefined && { batch }),
    ...(kind !== undefined && { kind }),
    ...(server !== undefined && { server }),
    ...(tool !== undefined && { tool }),
    ...(requestId !== undefined && { requestId }),
    ...(minCostUsd !== undefined && { minCostNanos: costToNanos(minCostUsd, 'minCostUsd') }),
    tags,
  }
}

/**
 * Returns the preceding span of equal length. A range of the calendar has the previous day, week, month and so on, and a
 * range to date the same part of it; whole days as many days, also across a change of the clock; a span that ends now the corresponding
 * part of the preceding time.
 */
function previousOf(
  { range, span, isOpen }: RequestedSpan,
  timeZone: string,
  now: Date,
): { from: Date; to: Date } {
  const fromMs = span.from.getTime()
  const endMs = isOpen ? now.getTime() : span.end.getTime()
  if (range !== null && isCalendarRange(range)) {
    const start = startOfUnit(timeZone, calendarRanges[range].unit, fromMs, 1)
    const to = isOpen ? Math.min(start + endMs - fromMs, fromMs) : fromMs
    return { from: new Date(start), to: new Date(to) }
  }
  const wholeEndMs = range === null ? endMs : span.end.getTime()
  const days = wholeDays(timeZone, fromMs, wholeEndMs)
  if (days === null) {
    const lengthMs = wholeEndMs - fromMs
    return { from: new Date(fromMs - lengthMs), to: new Date(Math.min(endMs - lengthMs, fromMs)) }
  }
  const { year, month, day } = wallClockAt(timeZone, fromMs)
  const start = startOfDate(timeZone, year, month, day - days)
  const to = isOpen ? Math.min(start + endMs - fromMs, fromMs) : fromMs
  return { from: new Date(start), to: new Date(to) }
}

/** Returns how many local days a span consists of; null unless it begins and ends with one. */
function wholeDays(timeZone: string, fromMs: number, endMs: number): number | null {
  const dateOf = (ms: number) => {
    const { year, month, day } = wallClockAt(timeZone, ms)
    return startOfDate(timeZone, year, month, day) === ms ? Date.UTC(year, month - 1, day) : null
  }
  const [first, end] = [dateOf(fromMs), dateOf(endMs)]
  return first === null || end === null ? null : (end - first) / 86_400_000
}

export const isFinerThanDay = (interval: Interval): boolean => interval === 'minute' || interval === 'hour'
