// Formats numbers, money and times. Small amounts of money keep their significant digits.

const integers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export const formatInteger = (value: number) => integers.format(value)

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** 1.2M, for axes and narrow columns. */
export const formatCompact = (value: number) =>
  Math.abs(value) < 10_000 ? integers.format(value) : compact.format(value)

/** Two digits after the point for dollars, more for small amounts: $4,182.36, $0.0773, $0.000086. */
export function formatUsd(value: number): string {
  const size = Math.abs(value)
  const digits =
    size === 0 || size >= 1 ? 2 : size >= 0.1 ? 3 : Math.min(9, 3 - Math.floor(Math.log10(size)) - 1)
  return value.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.max(2, digits),
  })
}

/** Up to nine decimal places, as in the record, without trailing zeros. */
export const formatUsdExactly = (value: number) =>
  value.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 9,
  })

/** $4.2K, for axes. */
export function formatUsdShort(value: number): string {
  if (Math.abs(value) >= 10_000) return `$${compact.format(value)}`
  return Math.abs(value) >= 10 || value === 0 ? `$${integers.format(value)}` : formatUsd(value)
}

/** 840 ms, 3.4 s, 2 min 5 s. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}

/** 5 s, 10 min, 2 h: a configured duration in the largest unit that divides it evenly. */
export function formatExactDuration(ms: number): string {
  const [size, unit] = exactUnits.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'ms']
  return `${integers.format(ms / size)} ${unit}`
}
const exactUnits = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** 0.41 %; below a hundredth of a percent: < 0.01 %. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.0001) return '< 0.01 %'
  return `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: share < 0.1 ? 2 : 0 })} %`
}

/** +12 %, −3 %; from tenfold on a factor: ×51. */
export function formatChange(share: number): string {
  if (share >= 9) return `×${integers.format(share + 1)}`
  const percent = Math.abs(share * 100)
  const text = percent.toLocaleString('en-US', { maximumFractionDigits: percent < 10 ? 1 : 0 })
  return `${share < 0 ? '−' : '+'}${text} %`
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** Binary units, for configured sizes. */
export const formatMebibytes = (bytes: number) =>
  `${(bytes / 1_048_576).toLocaleString('en-US', { maximumFractionDigits: 3 })} MiB`

const relativeUnits: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** 20 min. ago, in 3 days. */
export function formatRelative(at: Date, now: Date): string {
  let value = (at.getTime() - now.getTime()) / 1_000
  for (const [size, unit] of relativeUnits) {
    if (Math.abs(value) < size)
      return unit === 'second' && Math.abs(value) < 5 ? 'just now' : relative.format(Math.trunc(value), unit)
    value /= size
  }
  return relative.format(Math.trunc(value), 'year')
}

/** 16 Nov 2026, 14:02:51 UTC. */
export function formatMoment(at: Date, timeZone: string): string {
  return at.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
}

/** 14:02:51. */
export const formatClock = (at: Date, timeZone: string) =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone })

/** 16 Nov. */
export const formatDay = (at: Date, timeZone: string) =>
  at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone })

/** req_01m7g…k3w8 */
export const shortenId = (id: string) => (id.length <= 16 ? id : `${id.slice(0, 9)}…${id.slice(-4)}`)

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${formatInteger(count)} ${count === 1 ? one : many}`
