export function readBootstrapKey(value: string | null, faults: string[]): string | null {
  if (value === null || /^tallystick_sk_[0-9A-Za-z]{20,200}$/.test(value)) return value
  faults.push('TALLYSTICK_BOOTSTRAP_KEY: must be tallystick_sk_ followed by 20 to 200 letters and digits')
  return null
}
