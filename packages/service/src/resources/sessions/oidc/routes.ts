import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Db, newId } from '../../../db/index.js'
import {
  type App,
  locationHeader,
  type Principal,
  type PublicAddress,
  type SessionCookies,
  sendCookie,
  setCookieHeader,
  strict,
} from '../../../http/index.js'
import type { Outbound } from '../../../outbound/index.js'
import { ApiError, type ErrorType } from '../../../shared/errors.js'
import { findTenant } from '../../tenants/index.js'
import type { SignInAttempts } from '../attempts.js'
import { openSession } from '../manage.js'
import type { SignInRefusals } from '../refusals.js'
import { refuse, SignInProblem } from '../sign-in-problem.js'
import { maxAgeMs } from '../store.js'
import { createOidcClient, type OidcIssuer } from './client.js'
import type { OidcIdentity, OidcRules } from './identity.js'
import { admitMember } from './member.js'
import { localPath, maxSignInMs, type SignInSeals } from './state.js'

/** The issuer, its rules, and the tenant whose people sign in. */
export interface OidcSettings extends OidcIssuer, OidcRules {
  tenant: string
  name: string
}

export interface OidcRoutesOptions {
  db: Db
  /** Reads the settings that are in use now. Null when users sign in with keys only. */
  readOidc(): OidcSettings | null
  seals: SignInSeals
  cookies: SessionCookies
  publicAddress: PublicAddress | null
  attempts: SignInAttempts
  refusals: SignInRefusals
  outbound: Pick<Outbound, 'operator'>
  onChange(tenantId: string): void
}

const tags = ['Sign-in']
const startPath = '/v1/session/oidc'
const callbackPath = `${startPath}/callback`
const cookieName = 'tallystick_oidc'

const Methods = Type.Object(
  {
    key: Type.Literal(true, { description: 'Sign-in with a key. Always available' }),
    oidc: Type.Union([Type.Object({ name: Type.String() }), Type.Null()], {
      description: 'Sign-in by OpenID Connect: the display name of the issuer. Null if it is not configured',
    }),
  },
  { title: 'SignInMethods', examples: [{ key: true, oidc: { name: 'Example SSO' } }] },
)

const Next = Type.Optional(
  Type.String({
    maxLength: 1_000,
    description: 'The page to show after the sign-in, as a path of this service',
  }),
)
const CallbackQuery = Type.Object(
  { code: Type.Optional(Type.String()), state: Type.Optional(Type.String()) },
  { description: 'As OpenID Connect defines it; issuers may add what they like' },
)
const onProblem =
  'Errors are shown on the sign-in page if the client accepts `text/html`, and are returned as JSON otherwise.'
const signInErrors: ErrorType[] = [
  'forbidden',
  'not_found',
  'rate_limit_exceeded',
  'upstream_error',
  'unavailable',
]
const sendOnHeaders = { success: { ...locationHeader, ...setCookieHeader } }

export function registerOidcRoutes(app: App, options: OidcRoutesOptions): void {
  const { db, readOidc, seals, cookies, publicAddress, attempts, refusals, onChange } = options
  let latest: { oidc: OidcSettings; client: ReturnType<typeof createOidcClient> } | null = null

  /** Returns the client of the current issuer. Its keys and addresses are kept until the settings change. */
  function current() {
    const oidc = readOidc()
    if (oidc === null) return null
    if (latest === null || JSON.stringify(latest.oidc) !== JSON.stringify(oidc))
      latest = { oidc, client: createOidcClient(oidc, options.outbound.operator) }
    return latest
  }

  app.get(
    '/v1/session/methods',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'getSignInMethods',
        summary: 'List sign-in methods',
        description: `Returns the ways to sign in, for the sign-in page. If an issuer is configured, \`${startPath}?next=/path\` sends a browser to
it. The issuer sends the browser back to \`${callbackPath}\`, where the session begins as with \`POST /v1/session\`. The session
belongs to the person’s member, which the first sign-in creates.`,
        response: { 200: Methods },
      },
    },
    async () => {
      const oidc = readOidc()
      return { key: true as const, oidc: oidc && { name: oidc.name } }
    },
  )

  app.get(
    startPath,
    {
      config: { access: 'public', errors: signInErrors, answerHeaders: sendOnHeaders },
      exposeHeadRoute: false,
      schema: {
        tags,
        operationId: 'startOidcSignIn',
        summary: 'Start a sign-in by OpenID Connect',
        description: `Redirects a browser to the issuer. ${onProblem}`,
        querystring: Type.Object({ next: Next }, strict),
        response: { 302: Type.Null({ description: 'Redirects to the issuer, or to the sign-in page' }) },
      },
    },
    async (request, reply) =>
      await orProblem(request, reply, '../..', async () => {
        const issuer = current()
        if (issuer === null) throw refuse('not_configured')
        const { url, checks } = await issuer.client.start(`${baseOf(request)}${callbackPath}`)
        const next = localPath(request.query.next)
        keepUnderWay(reply, seals.seal({ ...checks, next, startedAtMs: Date.now() }), maxSignInMs / 1_000)
        return reply.redirect(url.href, 302)
      }),
  )

  // Issuers may add parameters to the address.
  app.get(
    callbackPath,
    {
      config: {
        access: 'public',
        errors: signInErrors,
        answerHeaders: sendOnHeaders,
        described: {
          tags,
          operationId: 'finishOidcSignIn',
          summary: 'Complete a sign-in by OpenID Connect',
          description: `Receives the browser back from the issuer and starts the session. ${onProblem}`,
          querystring: CallbackQuery,
          response: {
            302: Type.Null({ description: 'Redirects to the requested page, or to the sign-in page' }),
          },
        },
      },
      exposeHeadRoute: false,
      schema: { hide: true },
    },
    async (request, reply) =>
      await orProblem(request, reply, '../../..', async () => {
        const issuer = current()
        if (issuer === null) throw refuse('not_configured')
        const sealed = request.server.parseCookie(request.headers.cookie ?? '')[cookieName]
        const underWay = sealed === undefined ? null : seals.open(sealed)
        if (underWay === null) throw refuse('not_valid')
        keepUnderWay(reply, '', 0)
        const { search } = new URL(request.url, 'http://here.invalid')
        // Only this step counts as a sign-in attempt: a person whom the issuer identified is not guessing.
        const identity = await attempts.attempt(request.ip, () => issuer.client.finish(search, underWay))
        const principal = await admit(issuer.oidc, identity, request)
        const { session, value } = await openSession(db, principal, placeOf(request))
        onChange(session.tenantId)
        cookies.set(reply, value, maxAgeMs / 1_000, 'nested')
        return reply.redirect(`../../..${underWay.next}`, 302)
      }),
  )

  const placeOf = ({ ip, headers }: FastifyRequest) => ({ ip, userAgent: headers['user-agent'] })

  /** Returns the public address; when it is not configured, the address of this request. */
  const baseOf = ({ protocol, host }: FastifyRequest): string =>
    publicAddress === null ? `${protocol}://${host}` : `${publicAddress.origin}${publicAddress.prefix}`

  function keepUnderWay(reply: FastifyReply, value: string, maxAgeSeconds: number): void {
    // Lax, because the issuer's page redirects the browser back.
    sendCookie(reply, publicAddress, {
      name: cookieName,
      value,
      maxAgeSeconds,
      sameSite: 'lax',
      path: startPath,
    })
  }

  async function admit(
    settings: OidcSettings,
    identity: OidcIdentity,
    request: FastifyRequest,
  ): Promise<Principal> {
    const tenant = await findTenant(db, settings.tenant)
    if (!tenant) throw refuse('not_configured')
    const sessionId = newId('ses')
    try {
      return await admitMember(db, { tenantId: tenant.id, sessionId }, identity, settings)
    } catch (error) {
      if (error instanceof SignInProblem)
        await refusals.record({
          actor: { tenantId: tenant.id, userId: null, keyId: null, sessionId },
          subjectId: sessionId,
          reason: error.problem,
          email: identity.email,
          place: placeOf(request),
        })
      throw error
    }
  }
}

/** Reports a problem on the sign-in page to people, and in JSON to programs. */
async function orProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  root: string,
  act: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError) || !request.headers.accept?.includes('text/html')) throw error
    // For the operator: the issuer's message is in the log.
    if (error.status >= 500)
      request.log.error({ err: error.cause ?? error, status: error.status, error: error.type }, error.message)
    const problem = error instanceof SignInProblem ? error.problem : error.type
    const after = error.extras.retry_after === undefined ? '' : `&retryAfter=${error.extras.retry_after}`
    return reply.redirect(`${root}/sign-in?problem=${problem}${after}`, 302)
  }
}
