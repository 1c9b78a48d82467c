import type { Outbound } from '../../../outbound/index.js'
import { undecryptable } from '../../../secrets/index.js'
import { chatText } from './chat-text.js'
import { composeCloudEvent } from './cloud-event.js'
import { signatureHeaders } from './sign.js'

/** The content and destination of one attempt. */
export interface Attempt {
  id: string
  tenantId: string
  event: string
  /** JSON. */
  data: string
  createdAt: Date
  url: string
  type: 'generic' | 'chat'
  envelope: 'tallystick' | 'cloudevents'
  /** Newest first; the body is signed with each. */
  secrets: readonly string[] | typeof undecryptable
}

export interface AttemptOutcome {
  delivered: boolean
  statusCode: number | null
  error: string | null
  durationMs: number
}

const timeoutMs = 10_000

/** Never rejects. */
export async function attemptDelivery(outbound: Outbound, attempt: Attempt): Promise<AttemptOutcome> {
  const beginMs = performance.now()
  const outcome = await send(outbound, attempt)
  return { ...outcome, durationMs: Math.round(performance.now() - beginMs) }
}

async function send(outbound: Outbound, attempt: Attempt): Promise<Omit<AttemptOutcome, 'durationMs'>> {
  const body = composeBody(attempt)
  const headers = headersOf(attempt, body)
  if (headers === undecryptable)
    return {
      delivered: false,
      statusCode: null,
      error: 'Nothing was sent: the endpoint’s secret cannot be decrypted, so the delivery cannot be signed',
    }
  const result = await outbound.post({ url: attempt.url, body, headers, timeoutMs })
  if ('failure' in result) return { delivered: false, statusCode: null, error: result.failure }
  const delivered = result.status >= 200 && result.status < 300
  return {
    delivered,
    statusCode: result.status,
    error: delivered ? null : `The receiver answered ${result.status}`,
  }
}

/** Returns the same bytes at every attempt, as long as the endpoint's type and envelope stay the same. */
export function composeBody(
  attempt: Pick<Attempt, 'id' | 'tenantId' | 'event' | 'data' | 'createdAt' | 'type' | 'envelope'>,
): string {
  const { id, event, data, createdAt, type, envelope } = attempt
  if (type !== 'chat' && envelope === 'cloudevents') return composeCloudEvent(attempt)
  if (type === 'chat') return JSON.stringify({ text: chatText(event, messageOf(data)) })
  const head = JSON.stringify({ id, event, created: createdAt.toISOString() })
  return `${head.slice(0, -1)},"data":${data}}`
}

function messageOf(data: string): string {
  const { message }: { message?: unknown } = JSON.parse(data)
  return typeof message === 'string' ? message : ''
}

/** A chat message carries no signature. Any other message is never sent without one. */
function headersOf(
  { id, event, type, envelope, secrets }: Attempt,
  body: string,
): Record<string, string> | typeof undecryptable {
  const headers = {
    'Content-Type':
      type === 'generic' && envelope === 'cloudevents' ? 'application/cloudevents+json' : 'application/json',
    'User-Agent': 'Tallystick-Webhooks',
    'X-Tallystick-Delivery-Id': id,
    'X-Tallystick-Event': event,
  }
  if (type === 'chat') return headers
  if (secrets === undecryptable) return undecryptable
  return { ...headers, ...signatureHeaders(secrets, id, body, Math.floor(Date.now() / 1_000)) }
}
