import type { components } from './generated/api.js'

export { createClient, type TallystickClient } from './client/create-client.js'
export { type ErrorCode, TallystickError } from './client/errors.js'
export type { EventStream } from './client/events.js'
export type { Page, Pages } from './client/pages.js'
export type { ClientOptions, RawRequest, RequestOptions } from './client/request.js'
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks.js'

export type Schemas = components['schemas']
