/** Converts a value to a parameter in text form. Bytes are sent unchanged. */
export function toParameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`
  if (value instanceof Date) return value.toISOString()
  return String(value)
}

function toElement(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  const text = value instanceof Date ? value.toISOString() : String(value)
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
