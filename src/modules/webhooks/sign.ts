import { createHmac } from 'node:crypto'
import { signBody } from '../../outbound/index.js'

/**
 * Signatures of one attempt, by every secret that holds: our own, keyed with the secret as it is shown, and beside it
 * the headers of Standard Webhooks, keyed with the bytes that the secret spells. The time is the attempt's own, since
 * receivers refuse what is older than some minutes and a delivery may be tried for days.
 */
export function signatureHeaders(
  secrets: readonly string[],
  deliveryId: string,
  body: string,
  unixSeconds: number,
): Record<string, string> {
  const content = `${deliveryId}.${unixSeconds}.${body}`
  const standard = secrets.map(
    (secret) => `v1,${createHmac('sha256', bytesOf(secret)).update(content).digest('base64')}`,
  )
  return {
    'X-Tallystick-Signature': signBody(secrets, body, unixSeconds),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': standard.join(' '),
  }
}

const bytesOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
