import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

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

/**
 * Reads a delivery after checking that it was signed with your secret, just now. Throws when it was not. `Envelope` is the type of a
 * delivery with another envelope, such as a CloudEvent.
 */
export function verifyWebhook<Envelope = WebhookEvent>(options: VerifyWebhookOptions): Envelope {
  const { body, secret, toleranceSeconds = fiveMinutes, now = Date.now } = options
  const { time, signatures } = readSignature(options.signature ?? '')
  if (Math.abs(now() / 1_000 - Number(time)) > toleranceSeconds)
    throw new WebhookVerificationError('The delivery is too old, or the clocks differ')
  const bytes = typeof body === 'string' ? utf8ToBytes(body) : body
  const signed = concatBytes(utf8ToBytes(`${time}.`), bytes)
  const expected = [secret].flat().map((key) => hmac(sha256, utf8ToBytes(key), signed))
  // Every pair is compared, each in constant time: how long it takes says nothing about what was right.
  const matches = expected.flatMap((digest) => signatures.map((given) => isSame(digest, given)))
  if (!matches.includes(true)) throw new WebhookVerificationError('No signature matches the body')
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`; schemes that are not known are passed over. */
function readSignature(header: string): { time: string; signatures: Uint8Array[] } {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const valuesOf = (name: string) => parts.flatMap(([key, value]) => (key === name && value ? [value] : []))
  const [time = '', ...more] = valuesOf('t')
  if (!/^\d{1,12}$/.test(time) || more.length > 0)
    throw new WebhookVerificationError('The signature header has no timestamp')
  const signatures = valuesOf('v1')
    .filter((text) => /^[0-9a-f]{64}$/i.test(text))
    .map(hexToBytes)
  if (signatures.length === 0) throw new WebhookVerificationError('The signature header has no signature')
  return { time, signatures }
}

/** Takes the same time wherever the two differ. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (const [i, byte] of a.entries()) difference |= byte ^ (b[i] ?? 0)
  return difference === 0
}
