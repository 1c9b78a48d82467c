import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './generated/api.js'

export type Schemas = components['schemas']
export type TallystickClient = Client<paths>

/** A typed client of the management API: paths, bodies and answers as the OpenAPI document has them. */
export function createTallystickClient(options: { baseUrl: string; key: string }): TallystickClient {
  return createClient<paths>({
    baseUrl: options.baseUrl,
    headers: { authorization: `Bearer ${options.key}` },
  })
}

export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks.js'
