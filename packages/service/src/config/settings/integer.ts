import { wholeNumbers } from './variable-table.js'

export function readInteger(
  text: string | null,
  fallback: number,
  min: number,
  max: number,
  name: string,
  faults: string[],
): number {
  if (text === null) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  faults.push(`${name}: must be a whole number from ${min} to ${max}`)
  return fallback
}

/** Reads a variable of the table. `fallback` replaces the default of the table. */
export function readWholeNumber(
  name: keyof typeof wholeNumbers,
  read: (name: string) => string | null,
  faults: string[],
  fallback?: number,
): number {
  const setting = wholeNumbers[name]
  return readInteger(read(name), fallback ?? setting.fallback, setting.min, setting.max, name, faults)
}
