export function readWorkers(text: string | null, faults: string[]): number | 'auto' {
  if (text === null || text === 'auto') return 'auto'
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  faults.push('TALLYSTICK_WORKERS: must be a whole number from 1 to 999, or auto')
  return 'auto'
}
