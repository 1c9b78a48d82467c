import { createHmac } from 'node:crypto'

/**
 * Signatures of one attempt, by every secret that holds: `t=…,v1=…` keyed with the secret as it is shown, and beside it
 * the headers of Standard Webhooks, keyed with the bytes that the secret spells. The time is the attempt's own, since
 * receivers refuse what is older than some minutes and a delivery may be tried for days.
 */
export function signatureHeaders(
  secrets: readonly string[],
  deliveryId: string,
  body: string,
  unixSeconds: number,
): Record<string, string> {
  const plain = secrets.map((secret) => `v1=${hmac(secret, `${unixSeconds}.${body}`, 'hex')}`)
  const standard = secrets.map(
    (secret) => `v1,${hmac(bytesOf(secret), `${deliveryId}.${unixSeconds}.${body}`, 'base64')}`,
  )
  return {
    'X-Tallystick-Signature': [`t=${unixSeconds}`, ...plain].join(','),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': standard.join(' '),
  }
}

const hmac = (key: string | Buffer, content: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(content).digest(encoding)

const bytesOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
