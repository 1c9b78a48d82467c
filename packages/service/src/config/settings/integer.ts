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
