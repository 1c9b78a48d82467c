import { createHmac } from 'node:crypto'

/**
 * The `X-Tallystick-Signature` of a body: `t=<seconds>,v1=<hex>`, one `v1` for every valid secret, the newest first. The time is
 * signed too, so that a receiver can refuse a replay.
 */
export function signBody(secrets: readonly string[], body: string, unixSeconds: number): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')}`,
  )
  return [`t=${unixSeconds}`, ...signatures].join(',')
}
