/** Amounts are whole attodollars (1e-18 USD), so that no price and no cost of a row is rounded. */
export const attosPerNano = 10n ** 9n
export const attosPerPico = 10n ** 6n
const usdDecimals = 18

export const usdText = (attos: bigint): string => decimalText(attos, usdDecimals)

/** Writes `digits / 10^decimals` without an exponent and without zeros at the end. */
export function decimalText(digits: bigint, decimals: number): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(decimals + 1, '0')
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '')
  const whole = text.slice(0, text.length - decimals)
  return `${digits < 0n ? '-' : ''}${whole}${decimals === 0 || fraction === '' ? '' : `.${fraction}`}`
}

/** The inverse of `decimalText`. */
export function decimalDigits(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
