import { formatDay } from '../../format'
import type { DensityBucket } from './use-density'

const timeFormats = new Map<string, Intl.DateTimeFormat>()

export function formatTime(ms: number, timeZone: string, withSeconds: boolean): string {
  const name = `${timeZone} ${withSeconds}`
  let format = timeFormats.get(name)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      ...(withSeconds && { second: '2-digit' }),
      timeZone,
    })
    timeFormats.set(name, format)
  }
  return format.format(ms)
}

export const dayMs = 86_400_000

/** 16 Nov 14:00 – 14:10. Whole days are shown without a time. */
export function formatBucketRange(
  { fromMs, toMs }: Pick<DensityBucket, 'fromMs' | 'toMs'>,
  timeZone: string,
): string {
  const day = (ms: number) => formatDay(new Date(ms), timeZone)
  const withSeconds = toMs - fromMs < 60_000
  const from = formatTime(fromMs, timeZone, withSeconds)
  const to = formatTime(toMs, timeZone, withSeconds)
  if (day(fromMs) === day(toMs - 1) && toMs - fromMs < dayMs) return `${day(fromMs)} ${from} – ${to}`
  return `${day(fromMs)} ${from} – ${day(toMs)} ${to}`
}
