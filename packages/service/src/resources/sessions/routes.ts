import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import {
  type App,
  ById,
  type Cursors,
  type FindByKey,
  type FindBySession,
  ownerOf,
  Page,
  PageQuery,
  type Principal,
  type PublicAddress,
  principalOf,
  readPage,
  requireSameOrigin,
  type SessionCookies,
  sessionCookieOf,
  setCookieHeader,
  strict,
  userSuspended,
} from '../../http/index.js'
import { notFound, unauthorized } from '../../shared/errors.js'
import type { Actor } from '../audit/index.js'
import type { SignInAttempts } from './attempts.js'
import { endAllSessions, endSession, openSession, type SignInOrigin } from './manage.js'
import { presentCaller, presentSession } from './present.js'
import type { SignInRefusals } from './refusals.js'
import { Caller, Session, SignIn } from './schema.js'
import { listSessions, maxAgeMs } from './store.js'

export interface SessionRoutesOptions {
  db: Db
  cursors: Cursors
  findByKey: FindByKey
  /** Returns the owner of a refused key. */
  findRefused(keyValue: string): Promise<Actor | null>
  findBySession: FindBySession
  attempts: SignInAttempts
  refusals: SignInRefusals
  cookies: SessionCookies
  publicAddress: PublicAddress | null
  /** Called after sessions were ended, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
}

const tags = ['Sign-in']
const maxSignInBytes = 4 * 1024

export function registerSessionRoutes(app: App, options: SessionRoutesOptions): void {
  const { db, cursors, findByKey, findRefused, findBySession, cookies, publicAddress, onChange } = options
  const { attempts, refusals } = options

  async function recordRefusal(actor: Actor | null, reason: string, place: SignInOrigin): Promise<void> {
    if (actor?.keyId) await refusals.record({ actor, subjectId: actor.keyId, reason, place })
  }

  async function requireKey(keyValue: string, place: SignInOrigin): Promise<Principal> {
    const principal = await findByKey(keyValue)
    if (principal === null) {
      await recordRefusal(await findRefused(keyValue), 'the key is revoked or has expired', place)
      throw unauthorized()
    }
    if (principal.suspended) {
      await recordRefusal(principal, 'the user is suspended', place)
      throw userSuspended()
    }
    return principal
  }

  app.post(
    '/v1/session',
    {
      config: {
        access: 'public',
        errors: ['unauthorized', 'user_suspended', 'rate_limit_exceeded', 'unavailable'],
        answerHeaders: { success: setCookieHeader },
      },
      bodyLimit: maxSignInBytes,
      schema: {
        tags,
        operationId: 'signIn',
        summary: 'Sign in with a key',
        description: `Sets the cookie \`tallystick_session\`. The cookie replaces the key on every management route and on the event stream. The
gateway never accepts it. Browsers hide the cookie from scripts and send it only to this service. Changes made with the
cookie must come from a page of this service (\`Origin\`).

The session ends after 12 hours without use, or after 7 days. It ends at once when its key is revoked or expires, or when its
user is suspended, removed or demoted.

An address with many failed sign-ins is refused with 429 for a while.`,
        body: SignIn,
        response: { 201: Caller },
      },
    },
    async (request, reply) => {
      // Another site must not sign a visitor in as somebody else. A program has no origin.
      if (request.headers.origin !== undefined) requireSameOrigin(request, publicAddress)
      const place = { ip: request.ip, userAgent: request.headers['user-agent'] }
      const { session, value } = await attempts.attempt(place.ip, async () =>
        openSession(db, await requireKey(request.body.key.trim(), place), place),
      )
      onChange(session.tenantId)
      cookies.set(reply, value, maxAgeMs / 1_000)
      return reply.code(201).send(await presentCaller(db, session))
    },
  )

  app.get(
    '/v1/session',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'getCaller',
        summary: 'Get the caller',
        description: 'Returns the user, role and key that the key or session of this request stands for.',
        response: { 200: Caller },
      },
    },
    async (request) => await presentCaller(db, principalOf(request)),
  )

  app.delete(
    '/v1/session',
    {
      config: {
        access: 'public',
        errors: ['forbidden', 'unavailable'],
        answerHeaders: { success: setCookieHeader },
      },
      schema: {
        tags,
        operationId: 'signOut',
        summary: 'Sign out',
        description:
          'Ends the session of the cookie and clears the cookie. The request also succeeds without a cookie, and when the session has already ended.',
        response: { 204: Type.Null({ description: 'Signed out' }) },
      },
    },
    async (request, reply) => {
      const value = sessionCookieOf(request)
      if (value !== null) requireSameOrigin(request, publicAddress)
      const principal = value === null ? null : await findBySession(value)
      if (principal?.sessionId) {
        await endSession(db, principal, principal.sessionId)
        onChange(principal.tenantId)
      }
      cookies.clear(reply)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/sessions',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'List your sessions',
        description:
          'Lists the sessions of the caller’s user, newest first. For a key without an owner, it lists the sessions of the key. Managers also see only their own sessions. To end the sessions of another person, suspend the user or revoke the key.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(Session, 'SessionPage') },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { tenantId, sessionId } = principal
      const own = ownerOf(principal)
      return await readPage({
        query: request.query,
        scope: `sessions ${tenantId} ${JSON.stringify(own)}`,
        cursors,
        fetch: (page) => listSessions(db, tenantId, { own, ...page }),
        position: (row) => row.id,
        present: (row) => presentSession(row, sessionId),
      })
    },
  )

  app.delete(
    '/v1/sessions/:id',
    {
      config: {
        access: 'member',
        ownSession: true,
        errors: ['not_found'],
        answerHeaders: { success: setCookieHeader },
      },
      schema: {
        tags,
        operationId: 'endSession',
        summary: 'End a session',
        description:
          'Ends one of the caller’s sessions at once, on every replica. The request also succeeds if the session has already ended.',
        params: ById,
        response: { 204: Type.Null({ description: 'The session has ended' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { id } = request.params
      if (!(await endSession(db, principal, id))) throw notFound('session')
      onChange(principal.tenantId)
      if (id === principal.sessionId) cookies.clear(reply)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/v1/sessions',
    {
      config: { access: 'member', ownSession: true, answerHeaders: { success: setCookieHeader } },
      schema: {
        tags,
        operationId: 'endAllSessions',
        summary: 'Sign out everywhere',
        description: 'Ends every session of the caller, including the session of this request.',
        response: { 204: Type.Null({ description: 'All sessions have ended' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await endAllSessions(db, principal)
      onChange(principal.tenantId)
      if (principal.sessionId !== null) cookies.clear(reply)
      return reply.code(204).send(null)
    },
  )
}
