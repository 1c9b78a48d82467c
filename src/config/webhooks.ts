import ipaddr from 'ipaddr.js'
import { readInteger } from './integer.js'

export interface WebhookConfig {
  /** Ranges (`10.20.0.0/16`) that production lets through although they are not public. */
  allowedRanges: string[]
  retentionDays: number
}

export function readWebhookConfig(read: (name: string) => string | null, faults: string[]): WebhookConfig {
  const rangesName = 'TALLYSTICK_WEBHOOK_ALLOW_PRIVATE'
  const daysName = 'TALLYSTICK_WEBHOOK_RETENTION_DAYS'
  const allowedRanges = (read(rangesName) ?? '').split(',').flatMap((range) => range.trim() || [])
  if (!allowedRanges.every((range) => ipaddr.isValidCIDR(range)))
    faults.push(`${rangesName}: must be ranges such as 10.20.0.0/16 or fd00::/8, separated by commas`)
  return { allowedRanges, retentionDays: readInteger(read(daysName), 30, 1, 3_650, daysName, faults) }
}
