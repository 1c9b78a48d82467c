export { AllowedTools, requireToolPatterns } from './allowed-tools.js'
export type { App } from './app.js'
export { type Access, mayUseRoute, userSuspended } from './auth/access.js'
export { type AuthMethod, authenticate, credentialOf } from './auth/authenticate.js'
export {
  bearerKey,
  callerAuthorizationOf,
  type FindByKey,
  gatewayAuthMethods,
} from './auth/key-methods.js'
export {
  callerIdOf,
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
export { type PublicAddress, refuseForeignOrigin, requireSameOrigin } from './auth/same-origin.js'
export {
  createSessionCookies,
  type SessionCookies,
  sendCookie,
  sessionCookieOf,
} from './auth/session-cookie.js'
export { type FindBySession, sessionCookie } from './auth/session-method.js'
export { CollectedBytes } from './bodies/collected-bytes.js'
export {
  BodiesInFlight,
  type BodyAccount,
  type BodyLimits,
  defaultBodyLimits,
  providerAnswerLimits,
} from './bodies/in-flight.js'
export { allowNoBody } from './bodies/optional-body.js'
export { eventStreamLimits, type StreamLimits, StreamSlots } from './bodies/stream-slots.js'
export { warnOfBacklog } from './connections/listen-backlog.js'
export { endStalledReaders, isStalledReader, type StalledReaders } from './connections/stalled-readers.js'
export { prepareStop } from './connections/stop-server.js'
export { openTlsListener } from './connections/tls-listener.js'
export { type Handshake, takeHandshake } from './connections/upgrades.js'
export { withDataAge } from './data-age.js'
export { costToNanos, requireAmount, toNanos, toUsd, Usd, UsdAboveZero } from './money.js'
export {
  dataAsOfHeader,
  downloadHeader,
  locationHeader,
  requestIdHeader,
  retryAfterHeader,
  setCookieHeader,
} from './openapi/describe-answers.js'
export type { WebhookDescriptions } from './openapi/describe-routes.js'
export { shellSample } from './openapi/shell-sample.js'
export { registerConsole } from './pages/console-pages.js'
export { registerDocs } from './pages/docs-pages.js'
export type { Readiness } from './readiness.js'
export { challenge, renderError, sendError, toApiError } from './render-error.js'
export { defineResource, type ManagementApi } from './resources/define-resource.js'
export {
  type Cursors,
  createCursors,
  Page,
  PageQuery,
  type PageRequest,
  readPage,
  SearchText,
} from './resources/pagination.js'
export { type Filter, presentEach } from './resources/resource.js'
export {
  ById,
  DateTime,
  Email,
  Name,
  Nullable,
  strict,
  TimeFilter,
  UserId,
  withDefault,
} from './schemas.js'
export { createServer, registerManagement } from './server.js'
export { registerServiceRoutes } from './service-routes.js'
export { createValidatorCompiler } from './validation/validator.js'
