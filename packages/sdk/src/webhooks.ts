import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a delivery to a `generic` endpoint says. */
export interface WebhookEvent {
  /** The same at every attempt: remember it to take a delivery once. */
  id: string
  event: string
  created: string
  data: Record<string, unknown>
}

export interface VerifyWebhookOptions {
  /** The body as it came, before any parsing: a parsed one that is written again may differ by a blank. */
  body: string | Uint8Array
  /** The value of `X-Tallystick-Signature`. */
  signature: string | null | undefined
  /** The endpoint's secret, `whsec_…`; several where you know the next one too. */
  secret: string | readonly string[]
  /** How far the delivery's time may be from yours, either way. */
  toleranceSeconds?: number
  now?: () => number
}

/** The delivery is not to be trusted. Answer 400, and look at nothing in it. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

const fiveMinutes = 300

/** Reads a delivery after checking that it was signed with your secret, just now. Throws when it was not. */
export function verifyWebhook(options: VerifyWebhookOptions): WebhookEvent {
  const { body, secret, toleranceSeconds = fiveMinutes, now = Date.now } = options
  const { time, signatures } = readSignature(options.signature ?? '')
  if (Math.abs(now() / 1_000 - Number(time)) > toleranceSeconds)
    throw new WebhookVerificationError('The delivery is too old, or the clocks differ')
  const expected = [secret]
    .flat()
    .map((key) => createHmac('sha256', key).update(`${time}.`).update(body).digest())
  // Every pair is compared, each in constant time: how long it takes says nothing about what was right.
  const matches = expected.flatMap((digest) => signatures.map((given) => isSame(digest, given)))
  if (!matches.includes(true)) throw new WebhookVerificationError('No signature matches the body')
  return readEvent(body)
}

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`; schemes that are not known are passed over. */
function readSignature(header: string): { time: string; signatures: Buffer[] } {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const valuesOf = (name: string) => parts.flatMap(([key, value]) => (key === name && value ? [value] : []))
  const [time = '', ...more] = valuesOf('t')
  if (!/^\d{1,12}$/.test(time) || more.length > 0)
    throw new WebhookVerificationError('The signature header has no timestamp')
  const signatures = valuesOf('v1')
    .filter((text) => /^[0-9a-f]{64}$/i.test(text))
    .map((text) => Buffer.from(text, 'hex'))
  if (signatures.length === 0) throw new WebhookVerificationError('The signature header has no signature')
  return { time, signatures }
}

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

function readEvent(body: string | Uint8Array): WebhookEvent {
  return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString())
}
