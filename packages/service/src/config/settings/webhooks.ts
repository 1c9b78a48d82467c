import ipaddr from 'ipaddr.js'
import { readWholeNumber } from './integer.js'

/** Reads address ranges such as `10.20.0.0/16` that strict rules allow although they are not public, including by plain HTTP. */
export function readAllowedRanges(read: (name: string) => string | null, faults: string[]): string[] {
  const name = 'TALLYSTICK_ALLOW_PRIVATE_TARGETS'
  const text = read(name)
  if (text === null) return []
  const ranges = text.split(',').flatMap((range) => range.trim() || [])
  if (!ranges.every((range) => ipaddr.isValidCIDR(range)))
    faults.push(`${name}: must be ranges such as 10.20.0.0/16 or fd00::/8, separated by commas`)
  return ranges
}

export interface WebhookConfig {
  retentionDays: number
}

export function readWebhookConfig(read: (name: string) => string | null, faults: string[]): WebhookConfig {
  return { retentionDays: readWholeNumber('TALLYSTICK_WEBHOOK_RETENTION_DAYS', read, faults) }
}
