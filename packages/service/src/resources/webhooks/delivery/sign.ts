import { createHmac } from 'node:crypto'
import { signBody } from '../../../outbound/index.js'

/**
 * Returns the signature headers of one attempt, with a signature by every valid secret: Tallystick's own, keyed
 * with the secret's text as it is shown, and those of Standard Webhooks, keyed with the bytes that the secret
 * encodes. The timestamp is that of the attempt: receivers refuse one that is a few minutes old, and a delivery may
 * be attempted for days.
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
