export { AllowedTools, requireToolPatterns } from './allowed-tools.js'
export type { App } from './app.js'
export { type Access, mayUseRoute, userSuspended } from './auth/access.js'
export { authenticate, type Resolver } from './auth/authenticate.js'
export { credentialOf } from './auth/credential.js'
export {
  bearerResolver,
  callerAuthorizationOf,
  type FindByKey,
  gatewayCredentialOf,
  gatewayResolvers,
} from './auth/key-resolvers.js'
export {
  holderOf,
  isOwnedBy,
  lowerRole,
  type Owner,
  ownerFilter,
  ownerOf,
  type Principal,
  principalOf,
  type Role,
  RoleName,
} from './auth/principal.js'
export { type PublicPlace, refuseForeignOrigin, requireSameOrigin } from './auth/same-origin.js'
export {
  createSessionCookies,
  type SessionCookies,
  sendCookie,
  sessionCookieOf,
} from './auth/session-cookie.js'
export { type FindBySession, sessionResolver } from './auth/session-resolver.js'
export { CollectedBytes } from './collected-bytes.js'
export { registerConsole } from './console-pages.js'
export {
  BodiesInFlight,
  type BodyAccount,
  type BodyLimits,
  defaultBodyLimits,
  providerAnswerLimits,
} from './in-flight.js'
export { warnOfBacklog } from './listen-backlog.js'
export { costToNanos, requireAmount, toNanos, toUsd, Usd, UsdAboveZero } from './money.js'
export type { WebhookDescriptions } from './openapi.js'
export {
  downloadHeader,
  locationHeader,
  requestIdHeader,
  retryAfterHeader,
  setCookieHeader,
} from './openapi-answers.js'
export { allowNoBody } from './optional-body.js'
export { type Cursors, createCursors, Page, PageQuery, readPage, SearchText } from './pagination.js'
export { challenge, renderError, sendError, toApiError } from './render-error.js'
export {
  ById,
  CascadeQuery,
  DateTime,
  Email,
  Name,
  Nullable,
  strict,
  UserId,
  withDefault,
} from './schemas.js'
export { createServer, registerManagement } from './server.js'
export { registerServiceRoutes } from './service-routes.js'
export { shellSample } from './shell-sample.js'
export { endStalledReaders, isStalledReader, type StalledReaders } from './stalled-readers.js'
export { prepareStop } from './stop-server.js'
export { eventStreamLimits, type StreamLimits, StreamPlaces } from './stream-places.js'
export { type Handshake, takeHandshake } from './upgrades.js'
export { createValidatorCompiler } from './validation.js'
