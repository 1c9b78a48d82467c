export function readInteger(
  text: string | null,
  fallback: number,
  least: number,
  most: number,
  name: string,
  faults: string[],
): number {
  if (text === null) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  faults.push(`${name}: must be a whole number from ${least} to ${most}`)
  return fallback
}
